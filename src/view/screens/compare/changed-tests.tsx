import { useState } from 'preact/hooks'
import { plural } from '../../../lib/text/format.ts'
import type { Result } from '../../../model/result.ts'
import type { ChangedTest } from '../../../report/html/view-data.ts'
import { headline, reasonsOf } from '../../../report/reasons.ts'
import type { DataSource } from '../../data-source.ts'
import { DEFAULT_FILTERS } from '../../filters.ts'
import { format } from '../../parts/format.ts'
import { Problem, Waiting } from '../../parts/notice.tsx'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import { FormToggle, type TextForm, WrittenText } from '../../parts/written-text.tsx'
import { addressOf } from '../../route.ts'
import { indexKey } from '../../rows.ts'
import { useLoaded } from '../../use-loaded.ts'

/** Tests shown initially and per click. */
const TESTS = 50

interface Props {
  readonly changed: readonly ChangedTest[]
  readonly source: DataSource
}

/** The tests whose result differs, each with the answers of both runs. */
export function ChangedTests({ changed, source }: Props) {
  const [shown, setShown] = useState(TESTS)
  const rest = changed.length - shown
  return (
    <section class="changed-tests" aria-labelledby="changed-name">
      <h2 id="changed-name">
        {changed.length === 0 ? 'No test has another result' : `${plural(changed.length, 'test')} with another result`}
      </h2>
      <ul>
        {changed.slice(0, shown).map(test => (
          <ChangedItem key={`${test.before.index} ${test.after.index}`} test={test} source={source} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" onClick={() => setShown(shown + TESTS)}>
          {`Show ${Math.min(TESTS, rest)} more of ${format.count(rest)}`}
        </button>
      )}
    </section>
  )
}

interface ItemProps {
  readonly test: ChangedTest
  readonly source: DataSource
}

function ChangedItem({ test, source }: ItemProps) {
  const [isOpen, setOpen] = useState(false)
  const { before, after, test_id, suite, target } = test
  return (
    <li class="changed-test">
      <details onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="changed-name">{test_id}</span>
          <span class="fact">{`${suite} on ${target}`}</span>
          <span class="changed-verdicts">
            <VerdictBadge verdict={before.verdict} />
            <span class="value">{format.score(before.score)}</span>
            <span aria-hidden="true">→</span>
            <span class="for-readers">then</span>
            <VerdictBadge verdict={after.verdict} />
            <span class="value">{format.score(after.score)}</span>
          </span>
        </summary>
        {isOpen && <Answers test={test} source={source} />}
      </details>
    </li>
  )
}

function Answers({ test: { before, after }, source }: ItemProps) {
  const [form, setForm] = useState<TextForm>('text')
  return (
    <div class="both-answers">
      <FormToggle form={form} onChange={setForm} />
      <div class="texts two">
        <Answer name="Before" side={before} source={source} form={form} />
        <Answer name="After" side={after} source={source} form={form} />
      </div>
    </div>
  )
}

interface AnswerProps {
  readonly name: string
  readonly side: ChangedTest['before']
  readonly source: DataSource
  readonly form: TextForm
}

function Answer({ name, side: { run, index }, source, form }: AnswerProps) {
  const { value, problem } = useLoaded(() => source.results(run, index), `${run} ${index}`)
  const result = value && (value.find(({ verdict }) => verdict !== 'pass') ?? value[0])
  const test = addressOf({ screen: 'test', run, test: indexKey(index), trial: 0, filters: DEFAULT_FILTERS })
  return (
    <section class="panel" aria-label={name}>
      <h3 class="label">
        {name} <a href={test}>{run}</a>
      </h3>
      {problem !== undefined && <Problem text={problem} />}
      {problem === undefined && !value && <Waiting what="the answer" />}
      {value && value.length > 1 && <p class="faint">{`Trial ${result?.trial} of ${value.length}`}</p>}
      {result && <AnswerText result={result} form={form} />}
    </section>
  )
}

/** Reasons that are shown of an answer. */
const REASONS = 3

function AnswerText({ result, form }: { readonly result: Result; readonly form: TextForm }) {
  return (
    <>
      {result.answer === null ? (
        <p class="faint">No answer.</p>
      ) : (
        <WrittenText text={result.answer} form={form} name="the answer" />
      )}
      <ul class="missed">
        {reasonsOf(result)
          .slice(0, REASONS)
          .map(reason => (
            <li>{headline(reason)}</li>
          ))}
      </ul>
    </>
  )
}
