import { plural } from '../../../lib/text/format.ts'
import { truncate } from '../../../lib/text/quote.ts'
import type { OutputMessage } from '../../../model/answer.ts'
import { asText, contentText } from '../../../model/messages/content-text.ts'
import { type AttributedCall, callsIn, isOwn, subagentName } from '../../../model/messages/subagents.ts'
import type { Result } from '../../../model/result.ts'
import { el, longText, svg } from '../../dom/element.ts'
import { format } from '../../parts/format.ts'

/** Steps shown initially and per click. */
const STEPS = 100

/** The messages and tool calls of the answer, in order. */
export function transcriptSection({ output_messages: messages, trace_summary: summary }: Result): HTMLElement[] {
  if (!messages || messages.length === 0) return []
  const calls = callsIn(messages)
  const delegated = calls.filter(call => !isOwn(call)).length
  const longest = calls.reduce((most, { duration_ms = 0 }) => Math.max(most, duration_ms), 0)
  const steps = messages.flatMap(message => stepsOf(message, longest))
  const failed = summary && summary.error_count > 0 ? `, ${summary.error_count} failed` : ''
  return [
    el(
      'section',
      { class: 'transcript', 'aria-labelledby': 'transcript-name' },
      el('h2', { id: 'transcript-name' }, 'Transcript'),
      el(
        'p',
        { class: 'faint' },
        `${plural(messages.length, 'message')}, ${plural(calls.length, 'tool call')}${delegated > 0 ? ` (${delegated} by subagents)` : ''}${failed}`,
      ),
      ...inSteps(steps),
    ),
  ]
}

type Step = () => HTMLElement

/** Draws steps in batches on demand. */
function inSteps(steps: readonly Step[]): HTMLElement[] {
  const list = el('ol', { class: 'time-line' })
  const more = el('button', { type: 'button', click: show })
  let drawn = 0
  function show(): void {
    list.append(...steps.slice(drawn, drawn + STEPS).map(step => step()))
    drawn = Math.min(steps.length, drawn + STEPS)
    more.replaceChildren(`Show ${Math.min(STEPS, steps.length - drawn)} more of ${format.count(steps.length - drawn)}`)
    more.hidden = drawn === steps.length
  }
  show()
  return [list, more]
}

/** Steps of a subagent are indented, and each of them names it. */
function stepsOf(message: OutputMessage, longest: number): Step[] {
  const { role, content } = message
  const speaker = isOwn(message) ? role : `${role} (${subagentName(message)})`
  const text = content === undefined || content === null ? '' : contentText(content)
  return [
    ...(text === ''
      ? []
      : [
          () =>
            el('li', { class: stepClass('said-step', message) }, el('p', { class: 'role' }, speaker), longText(text)),
        ]),
    ...callsIn([message]).map(call => () => callStep(call, longest)),
  ]
}

function stepClass(name: string, step: Pick<OutputMessage, 'agent_id'>): string {
  return isOwn(step) ? name : `${name} subagent`
}

function callStep(call: AttributedCall, longest: number): HTMLElement {
  const { tool, raw_tool, input, output, duration_ms, error } = call
  return el(
    'li',
    { class: `${stepClass('call-step', call)}${error === undefined ? '' : ' failed'}` },
    el(
      'div',
      { class: 'call-head' },
      !isOwn(call) && el('span', { class: 'fact' }, subagentName(call)),
      el('code', { class: 'tool' }, tool),
      raw_tool !== undefined && raw_tool !== tool && el('span', { class: 'fact' }, raw_tool),
      el('span', { class: 'call-input' }, input === undefined ? '' : truncate(JSON.stringify(input), 200)),
      duration_ms !== undefined &&
        el('span', { class: 'call-time' }, timeBar(duration_ms, longest), el('span', {}, format.time(duration_ms))),
    ),
    error !== undefined && el('p', { class: 'bad' }, error),
    ...opened('Input', input),
    ...opened('Output', output),
  )
}

function timeBar(ms: number, longest: number): SVGElement {
  return svg(
    'svg',
    { class: 'time-bar', height: 6, width: 80, 'aria-hidden': 'true' },
    svg('rect', { class: 'track', width: '100%', height: 6, rx: 3 }),
    svg('rect', {
      class: 'full',
      width: `${longest === 0 ? 0 : Math.max(2, (100 * ms) / longest)}%`,
      height: 6,
      rx: 3,
    }),
  )
}

/** A collapsed value that is rendered when it is opened. */
function opened(name: string, value: unknown): HTMLElement[] {
  if (value === undefined) return []
  const details = el('details', { toggle: fill }, el('summary', {}, name))
  function fill(): void {
    if (details.open && details.childElementCount === 1) details.append(longText(asText(value)))
  }
  return [details]
}
