import { markText, recordedMark } from '../../../model/mark.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { Result } from '../../../model/result.ts'
import { copyButton } from '../../dom/copy-button.ts'
import { el, longText } from '../../dom/element.ts'
import { format, formatTimestamp } from '../../parts/format.ts'

/** Other recorded facts of an attempt. */
export function factsSection(result: Result): HTMLElement {
  const { metadata } = result
  return el(
    'section',
    { class: 'panel', 'aria-labelledby': 'facts-name' },
    el('h2', { id: 'facts-name' }, 'Attempt'),
    el(
      'dl',
      { class: 'attempt' },
      ...factsOf(result).flatMap(([name, value]) =>
        value === undefined ? [] : [el('div', {}, el('dt', {}, name), el('dd', {}, value))],
      ),
    ),
    Object.keys(metadata).length > 0 && el('details', {}, el('summary', {}, 'Metadata'), longText(asText(metadata))),
  )
}

function factsOf(result: Result): [name: string, value: Node | string | undefined][] {
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
    ['Mark', mark && markText(mark)],
    ['Provider', result.provider],
    ['Model', result.model],
    ['Finish reason', result.finish_reason],
    ['Attempt', result.attempt_id],
    ['Workspace', workspace_path === undefined ? undefined : workspace(workspace_path)],
  ]
}

function whenKnown(value: number | undefined, text: (value: number) => string): string | undefined {
  return value === undefined ? undefined : text(value)
}

function workspace(path: string): HTMLElement {
  return el('span', { class: 'place' }, el('code', {}, path), copyButton(path, 'the path of the workspace'))
}
