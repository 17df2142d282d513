import { useMemo, useState } from 'preact/hooks'
import type { Result } from '../../../model/result.ts'
import { Problem, Waiting } from '../../parts/notice.tsx'
import type { TextForm } from '../../parts/written-text.tsx'
import type { TestRoute } from '../../route.ts'
import type { Row } from '../../rows.ts'
import type { RunScreenProps } from '../../screen.ts'
import { useLoaded } from '../../use-loaded.ts'
import { AttemptFacts, Score } from './attempt-facts.tsx'
import { Changes } from './changes.tsx'
import { Checks } from './checks.tsx'
import type { ImageLookup } from './content.tsx'
import { History } from './history.tsx'
import { Input } from './input.tsx'
import { OtherTargets } from './other-targets.tsx'
import { rerunCommand } from './rerun-command.ts'
import { TestHead } from './test-head.tsx'
import { AnswerTexts, ErrorPanel } from './texts.tsx'
import { Transcript } from './transcript.tsx'
import { Trials } from './trials.tsx'
import { WayAround } from './way-around.tsx'

/** A test on a target: all its trials, and the selected one in detail. */
export function TestScreen(props: RunScreenProps<'test'>) {
  const row = props.run.rows_by_key.get(props.route.test)
  if (!row) return <Problem text={`The run has no test ${props.route.test}.`} />
  return <OpenTest {...props} row={row} />
}

interface OpenTestProps extends RunScreenProps<'test'> {
  readonly row: Row
}

function OpenTest({ route: given, source, go, run, row }: OpenTestProps) {
  // The route may name the row by its index.
  const route: TestRoute = { ...given, run: run.id, test: row.key }
  const { filters } = given
  const chosen = useMemo(() => run.selector.choose(filters), [run, filters])
  const { value: results, problem } = useLoaded(() => source.results(run.id, row.index), `${run.id} ${row.index}`)
  const [form, setForm] = useState<TextForm>()
  const result = results && (results.find(({ trial }) => trial === route.trial) ?? mostTelling(results))
  return (
    <article class="test" aria-labelledby="test-name">
      <WayAround row={row} chosen={chosen} route={route} go={go} />
      {problem !== undefined && <Problem text={problem} />}
      {problem === undefined && !results && <Waiting what="the test" />}
      {results && !result && <Problem text="The run has no result of this test." />}
      {results && result && (
        <OpenResults key={row.key} {...{ route, source, run, row, results, result, form, onForm: setForm }} />
      )}
    </article>
  )
}

/** Returns the first trial that did not pass, or the first one. */
function mostTelling(results: readonly Result[]): Result | undefined {
  return results.find(({ verdict }) => verdict !== 'pass') ?? results[0]
}

interface OpenResultsProps extends Pick<OpenTestProps, 'source' | 'run' | 'row'> {
  readonly route: TestRoute
  readonly results: readonly Result[]
  /** The trial that is shown in detail. */
  readonly result: Result
  readonly form: TextForm | undefined
  readonly onForm: (form: TextForm) => void
}

function OpenResults(props: OpenResultsProps) {
  const { route, source, run, row, results, result } = props
  const { history } = source
  return (
    <>
      <TestHead row={row} result={result} command={rerunCommand(row, run.data)} has_links={hasLinks(props)} />
      <OtherTargets row={row} rows={run.rows} targets={run.targets} route={route} />
      {results.length > 1 && <Trials results={results} open={result} route={route} />}
      {/* Folded texts of another trial start folded. */}
      <OpenTrial key={results.indexOf(result)} {...props} />
      {history && <History load={() => history(run.id, row.index)} of={`${run.id} ${row.index}`} route={route} />}
    </>
  )
}

function OpenTrial(props: OpenResultsProps) {
  const { source, run, row, results, result, form, onForm } = props
  const imageOf: ImageLookup = hash => source.image?.(run.id, row.index, hash) ?? NO_IMAGES
  return (
    <>
      {result.error && <ErrorPanel error={result.error} />}
      <Checks result={result} trial={results.length > 1 ? result.trial : undefined} has_links={hasLinks(props)} />
      <AnswerTexts result={result} form={form} onForm={onForm} />
      <Input result={result} imageOf={imageOf} />
      <Changes changes={result.changes} />
      <Transcript result={result} imageOf={imageOf} />
      <div class="sides">
        <Score result={result} />
        <AttemptFacts result={result} />
      </div>
    </>
  )
}

const NO_IMAGES = { problem: 'the report has no images' }

/** Only beside a report on a web server may be the files that it names. */
function hasLinks({ source }: OpenResultsProps): boolean {
  return source.only_run !== undefined
}
