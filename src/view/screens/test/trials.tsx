import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { truncate } from '../../../lib/text/quote.ts'
import type { Result } from '../../../model/result.ts'
import { counts } from '../../../model/verdict.ts'
import { failedChecks, headline, reasonsOf } from '../../../report/reasons.ts'
import { format } from '../../parts/format.ts'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import { addressOf, type TestRoute } from '../../route.ts'

/** Trials shown initially; all of them on click. */
const FIRST_TRIALS = 20

interface Props {
  readonly results: readonly Result[]
  /** The trial that is shown in detail. */
  readonly open: Result
  readonly route: TestRoute
}

/** The trials side by side in equal columns; each number links to its trial. */
export function Trials({ results, open, route }: Props) {
  const [isWhole, setWhole] = useState(results.length <= FIRST_TRIALS)
  const shown = isWhole ? results : results.slice(0, FIRST_TRIALS)
  const names = [...new Set(results.flatMap(({ evaluator_results }) => evaluator_results.map(({ name }) => name)))]
  const line = (title: string, cell: (result: Result) => ComponentChildren, style = '') => (
    <tr class={style}>
      <th scope="row">{title}</th>
      {shown.map(result => (
        <td key={result.attempt_id} class={result === open ? 'open' : ''}>
          {cell(result)}
        </td>
      ))}
    </tr>
  )
  return (
    <section class="trials" aria-labelledby="trials-name">
      <h2 id="trials-name">{`${results.length} trials`}</h2>
      <ScrollRegion name="Scores of the trials">
        <table style={{ '--trials': shown.length }}>
          <thead>
            <tr>
              <th scope="col">Trial</th>
              {shown.map(result => (
                <TrialHead key={result.attempt_id} result={result} isOpen={result === open} route={route} />
              ))}
            </tr>
          </thead>
          <tbody>
            {line('Verdict', ({ verdict }) => (
              <VerdictBadge verdict={verdict} />
            ))}
            {line('Score', ({ score }) => format.score(score))}
            {names.map(name => line(name, result => <CheckScore name={name} result={result} />, 'check-row'))}
            {line('Missed', result => (
              <Missed result={result} />
            ))}
            {line('Answer', ({ answer }) => (
              <span class="snippet">{truncate(answer ?? '–', 400)}</span>
            ))}
            {line('Time', ({ duration_ms }) => format.time(duration_ms))}
            {results.some(({ cost_usd }) => cost_usd !== undefined) &&
              line('Cost', ({ cost_usd }) => format.cost(cost_usd))}
          </tbody>
        </table>
      </ScrollRegion>
      {!isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          {`Show all ${format.count(results.length)} trials`}
        </button>
      )}
    </section>
  )
}

interface HeadProps {
  readonly result: Result
  readonly isOpen: boolean
  readonly route: TestRoute
}

function TrialHead({ result: { trial }, isOpen, route }: HeadProps) {
  return (
    <th scope="col" class={isOpen ? 'open' : ''}>
      <a href={addressOf({ ...route, trial })} aria-current={isOpen ? 'true' : undefined} aria-label={`Trial ${trial}`}>
        {trial}
      </a>
    </th>
  )
}

function CheckScore({ name, result }: { readonly name: string; readonly result: Result }) {
  const check = result.evaluator_results.find(each => each.name === name)
  if (!check) return <span class="faint">–</span>
  if (!counts(check)) return <span class="faint">n/a</span>
  const text = check.not_run ? 'not run' : check.error ? 'no score' : format.score(check.score)
  return <span class={check.passed ? 'good' : 'bad'}>{text}</span>
}

/** Reasons that are shown of a trial. */
const REASONS = 3

function Missed({ result }: { readonly result: Result }) {
  const reasons = result.verdict === 'pass' && failedChecks(result).length === 0 ? [] : reasonsOf(result)
  if (reasons.length === 0) return <span class="faint">–</span>
  const more = reasons.length - REASONS
  return (
    <ul class="missed">
      {reasons.slice(0, REASONS).map(reason => (
        <li>{truncate(headline(reason), 200)}</li>
      ))}
      {more > 0 && <li class="faint">{`and ${more} more`}</li>}
    </ul>
  )
}
