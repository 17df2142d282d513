import type { ComponentChildren } from 'preact'
import { plural } from '../../../lib/text/format.ts'
import type { GroupStatistics, PageData } from '../../../report/html/page-data.ts'
import type { OpenRun } from '../../open-run.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { format, formatTimestamp } from '../../parts/format.ts'

/** What ran, when, for how long and from what; and what limits the figures. */
export function RunHead({ run: { data } }: { readonly run: OpenRun }) {
  return (
    <header class="run-head">
      <h1 id="run-name" tabIndex={-1}>
        {headline(data)}
      </h1>
      <p class="facts">
        {factsOf(data).map((fact, index) => (
          <span key={index}>{fact}</span>
        ))}
      </p>
      {data.run?.command !== undefined && (
        <p class="command">
          <code>{data.run.command}</code>
          <CopyButton text={data.run.command} what="the command" />
        </p>
      )}
      {data.notes.length > 0 && (
        <div class="lines">
          {data.notes.map(note => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      {data.marked.length > 0 && (
        <details>
          <summary>Marked tests</summary>
          <ul>
            {data.marked.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </header>
  )
}

/** With several targets, what ran: their rates are in the table, and have no common one. */
function headline(data: PageData): string {
  const { all, rows, targets, tests_text } = data
  if (all.tests === 0) return rows.length > 0 ? 'All tests that ran are in quarantine' : 'No tests were run'
  const what = targets.length > 1 ? tests_text : passedText(all)
  return `${what}${trialsOf(data)}${missingOf(data)}`
}

/** `3 of 4 tests passed`. */
function passedText({ counts, tests }: GroupStatistics): string {
  return `${format.count(counts.pass)} of ${format.count(tests)} ${tests === 1 ? 'test' : 'tests'} passed`
}

/** `, 3 trials`; a single trial is not worth a word. */
function trialsOf({ reliability }: PageData): string {
  const trials = reliability.flatMap(each => each.trials ?? [])
  const [least, most] = [Math.min(...trials.map(({ k }) => k)), Math.max(...trials.map(each => each.most))]
  if (trials.length === 0 || most <= 1) return ''
  return least === most ? `, ${plural(most, 'trial')}` : `, ${least} to ${most} trials`
}

function missingOf({ all, planned_tests, not_run }: PageData): string {
  const left = planned_tests - all.tests
  if (left > 0) return `, ${left} not run`
  return not_run > 0 ? `, ${plural(not_run, 'attempt')} not run` : ''
}

function factsOf({ run, elapsed_ms, all, judge_usage }: PageData): ComponentChildren[] {
  const judges = judge_usage && `judges ${format.cost(judge_usage.cost_usd)} in ${plural(judge_usage.calls, 'call')}`
  return [
    run && `Run ${run.run_id}`,
    run && formatTimestamp(run.started),
    elapsed_ms !== undefined && `${format.time(elapsed_ms)} from first to last attempt`,
    run?.provenance !== undefined && linked(run.provenance, run.commit_url),
    run?.ci_url !== undefined && linked('CI job', run.ci_url),
    run?.shard && `shard ${run.shard.index} of ${run.shard.of}`,
    all.cost_usd !== undefined && `cost ${format.cost(all.cost_usd)}`,
    all.tokens !== undefined && `${format.count(all.tokens)} tokens`,
    judges,
    run && `assay ${run.assay_version}`,
  ].filter(fact => fact !== undefined && fact !== false)
}

/** A text that links to a page, if there is one. */
function linked(text: string, url: string | undefined): ComponentChildren {
  if (url === undefined) return text
  return (
    <a href={url} rel="noreferrer">
      {text}
    </a>
  )
}
