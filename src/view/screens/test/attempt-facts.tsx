import type { ComponentChildren } from 'preact'
import { markText, recordedMark } from '../../../model/mark.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { Result } from '../../../model/result.ts'
import { scoreSum } from '../../../report/score-breakdown.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { format, formatTimestamp } from '../../parts/format.ts'
import { LongText } from '../../parts/long-text.tsx'

/** How the score follows from the checks, and the verdict from the score. */
export function Score({ result }: { readonly result: Result }) {
  const lines = result.error ? [`no score: error in the ${result.error.stage}`] : scoreSum(result)
  return (
    <section class="panel" aria-labelledby="sum-name">
      <h2 id="sum-name">Score</h2>
      {lines.map(line => (
        <p class="sum">{line}</p>
      ))}
    </section>
  )
}

/** Other recorded facts of an attempt. */
export function AttemptFacts({ result }: { readonly result: Result }) {
  const { metadata } = result
  return (
    <section class="panel" aria-labelledby="facts-name">
      <h2 id="facts-name">Attempt</h2>
      <dl class="attempt">
        {factsOf(result).map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {Object.keys(metadata).length > 0 && (
        <details>
          <summary>Metadata</summary>
          <LongText text={asText(metadata)} />
        </details>
      )}
    </section>
  )
}

function factsOf(result: Result): [name: string, value: ComponentChildren][] {
  const { token_usage: tokens, judge_usage: judges, workspace_path } = result
  const mark = recordedMark(result)
  return [
    ['Started', formatTimestamp(result.timestamp)],
    ['Time', whenKnown(result.duration_ms, format.time)],
    ['Cost', whenKnown(result.cost_usd, format.cost)],
    ['Input tokens', whenKnown(tokens?.input, format.count)],
    ['Output tokens', whenKnown(tokens?.output, format.count)],
    ['Cached tokens', whenKnown(tokens?.cached, format.count)],
    ['Reasoning tokens', whenKnown(tokens?.reasoning, format.count)],
    ['Judge calls', whenKnown(judges?.calls, format.count)],
    ['Judge cost', whenKnown(judges?.cost_usd, format.cost)],
    ['Answer', result.cached && 'from the cache'],
    ['Rerun', whenKnown(result.rerun, format.count)],
    ['Mark', mark && markText(mark)],
    ['Provider', result.provider],
    ['Model', result.model],
    ['Finish reason', result.finish_reason],
    ['Worker', result.worker],
    ['Attempt', result.attempt_id],
    ['Workspace', workspace_path === undefined ? undefined : <Workspace path={workspace_path} />],
  ]
}

function whenKnown(value: number | undefined, text: (value: number) => string): string | undefined {
  return value === undefined ? undefined : text(value)
}

function Workspace({ path }: { readonly path: string }) {
  return (
    <span class="place">
      <code>{path}</code>
      <CopyButton text={path} what="the path of the workspace" />
    </span>
  )
}
