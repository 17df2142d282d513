import { plural } from '../../../lib/text/format.ts'
import { formatRate } from '../../../report/estimates-text.ts'
import type { PageData } from '../../../report/html/page-data.ts'
import type { LiveData } from '../../../report/html/view-data.ts'
import type { DataSource } from '../../data-source.ts'
import { Problem, Waiting } from '../../parts/notice.tsx'
import { VerdictBar } from '../../parts/verdict-bar.tsx'
import { addressOf, runRouteOf } from '../../route.ts'
import { useLoaded } from '../../use-loaded.ts'

interface Props {
  readonly run: string
  readonly source: DataSource
  readonly data: LiveData
}

/** How the run ended: whether all attempts have a result, and the figures of each target. */
export function RunEnd({ run, source, data: { status } }: Props) {
  const { value, problem } = useLoaded(() => source.run(run), run)
  const missing = value?.not_run ?? (status ? status.total - status.done : undefined)
  return (
    <section class="panel run-end" aria-label="Result">
      {missing === 0 && <p class="good">Finished: every attempt has a result.</p>}
      {missing !== undefined && missing > 0 && (
        // Killed, stopped, or decided early: the notes say more.
        <p class="bad">{`Not finished: ${plural(missing, 'attempt')} of the plan ${missing === 1 ? 'has' : 'have'} no result.`}</p>
      )}
      {problem !== undefined && <Problem text={problem} />}
      {problem === undefined && !value && <Waiting what="the result" />}
      {value && <Result data={value} />}
      <p>
        <a class="button" href={addressOf(runRouteOf(run))}>
          Open the run
        </a>
      </p>
    </section>
  )
}

function Result({ data: { tests_text, notes, targets } }: { readonly data: PageData }) {
  return (
    <>
      <p>{tests_text}</p>
      {notes.map(note => (
        <p class="faint">{note}</p>
      ))}
      <ul class="end-targets">
        {targets.map(target => (
          <li key={target.name}>
            <span>{target.name}</span>
            <VerdictBar counts={target.counts} tests={target.tests} />
            <span class="value">{`${formatRate(target.pass_rate)} passed`}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
