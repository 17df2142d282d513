import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { plural } from '../../../lib/text/format.ts'
import { truncate } from '../../../lib/text/quote.ts'
import type { OutputMessage } from '../../../model/answer.ts'
import { asText } from '../../../model/messages/content-text.ts'
import { type AttributedCall, callsIn, isOwn, subagentName } from '../../../model/messages/subagents.ts'
import type { Result } from '../../../model/result.ts'
import { format } from '../../parts/format.ts'
import { LongText } from '../../parts/long-text.tsx'
import { Content, type ImageLookup } from './content.tsx'

/** Steps shown initially and per click. */
const STEPS = 100

interface Props {
  readonly result: Result
  readonly imageOf: ImageLookup
}

/** The messages and tool calls of the answer, in order. */
export function Transcript({ result, imageOf }: Props) {
  const [shown, setShown] = useState(STEPS)
  const { output_messages: messages = [] } = result
  if (messages.length === 0) return null
  const calls = callsIn(messages)
  const longest = calls.reduce((most, { duration_ms = 0 }) => Math.max(most, duration_ms), 0)
  const steps = messages.flatMap(message => stepsOf(message, longest, imageOf))
  const rest = steps.length - shown
  return (
    <section class="transcript" aria-labelledby="transcript-name">
      <h2 id="transcript-name">Transcript</h2>
      <p class="faint">{countsText(result, messages, calls)}</p>
      <ol class="time-line">{steps.slice(0, shown).map(step => step())}</ol>
      {rest > 0 && (
        <button type="button" onClick={() => setShown(shown + STEPS)}>
          {`Show ${Math.min(STEPS, rest)} more of ${format.count(rest)}`}
        </button>
      )}
    </section>
  )
}

function countsText(
  { trace_summary: summary }: Result,
  messages: readonly OutputMessage[],
  calls: readonly AttributedCall[],
): string {
  const delegated = calls.filter(call => !isOwn(call)).length
  const time = calls.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0)
  return [
    plural(messages.length, 'message'),
    `${plural(calls.length, 'tool call')}${delegated > 0 ? ` (${delegated} by subagents)` : ''}`,
    ...(summary && summary.error_count > 0 ? [`${summary.error_count} failed`] : []),
    ...(time > 0 ? [`${format.time(time)} in tools`] : []),
  ].join(', ')
}

type Step = () => JSX.Element

/** Steps of a subagent are indented, and each of them names it. */
function stepsOf(message: OutputMessage, longest: number, imageOf: ImageLookup): Step[] {
  const { role, content } = message
  const speaker = isOwn(message) ? role : `${role} (${subagentName(message)})`
  const isEmpty = content === undefined || content === null || content === ''
  const said = () => (
    <li class={stepClass('said-step', message)}>
      <p class="role">{speaker}</p>
      <Content content={content} imageOf={imageOf} />
    </li>
  )
  return [
    ...(isEmpty ? [] : [said]),
    ...callsIn([message]).map(call => () => <CallStep call={call} longest={longest} />),
  ]
}

function stepClass(name: string, step: Pick<OutputMessage, 'agent_id'>): string {
  return isOwn(step) ? name : `${name} subagent`
}

interface CallProps {
  readonly call: AttributedCall
  readonly longest: number
}

function CallStep({ call, longest }: CallProps) {
  const { tool, raw_tool, input, output, duration_ms, error } = call
  return (
    <li class={`${stepClass('call-step', call)}${error === undefined ? '' : ' failed'}`}>
      <div class="call-head">
        {!isOwn(call) && <span class="fact">{subagentName(call)}</span>}
        <code class="tool">{tool}</code>
        {raw_tool !== undefined && raw_tool !== tool && <span class="fact">{raw_tool}</span>}
        <span class="call-input">{input === undefined ? '' : truncate(JSON.stringify(input), 200)}</span>
        {duration_ms !== undefined && (
          <span class="call-time">
            <TimeBar ms={duration_ms} longest={longest} />
            <span>{format.time(duration_ms)}</span>
          </span>
        )}
      </div>
      {error !== undefined && <p class="bad">{error}</p>}
      <div class="call-values">
        <Opened name="Input" value={input} />
        <Opened name="Output" value={output} />
      </div>
    </li>
  )
}

function TimeBar({ ms, longest }: { readonly ms: number; readonly longest: number }) {
  const width = longest === 0 ? 0 : Math.max(2, (100 * ms) / longest)
  return (
    <svg class="time-bar" height={6} width={80} aria-hidden="true">
      <rect class="track" width="100%" height={6} rx={3} />
      <rect class="full" width={`${width}%`} height={6} rx={3} />
    </svg>
  )
}

/** A collapsed value that is rendered when it is opened. */
function Opened({ name, value }: { readonly name: string; readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false)
  if (value === undefined) return null
  return (
    <details onToggle={event => setOpen(isOpen || event.currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && <LongText text={asText(value)} />}
    </details>
  )
}
