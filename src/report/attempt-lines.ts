import { cutText } from '../lib/cut-text.ts'
import { seconds } from '../lib/figures.ts'
import { jsonText } from '../lib/json-text.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import type { ToolCall } from '../model/answer.ts'
import { asText } from '../model/content-text.ts'
import type { Result } from '../model/result.ts'
import { expectedText, inputText } from './recorded-texts.ts'

/** How much is shown where not everything is asked for. */
const MOST_LINES = 12
const LONGEST_LINE = 300
const MOST_CALLS = 20

/** What was asked, expected and answered, and which tools were called; long texts cut, unless all is asked for. */
export function attemptLines(result: Result, isWhole: boolean): string[] {
  const expected = expectedText(result)
  return [
    ...block('input', inputText(result), isWhole),
    ...(expected === undefined ? [] : block('expected', expected, isWhole)),
    ...callLines(result, isWhole),
    ...(result.answer === null ? [] : block('answer', result.answer, isWhole)),
  ]
}

/** A text behind its name; further lines are indented, so that none of them looks like ours. */
function block(name: string, text: string, isWhole: boolean): string[] {
  const all = text.split('\n')
  const shown = isWhole ? all : all.slice(0, MOST_LINES).map(line => cutText(line, LONGEST_LINE))
  const more = all.length - shown.length
  return [
    ...shown.map((line, index) => `${index === 0 ? `${name}: ` : '  '}${onOneLine(line)}`.trimEnd()),
    ...(more > 0 ? [`  … ${plural(more, 'more line')} (-v shows all)`] : []),
  ]
}

function callLines({ output_messages: messages = [] }: Result, isWhole: boolean): string[] {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls)
  if (calls.length === 0) return []
  const shown = isWhole ? calls : calls.slice(0, MOST_CALLS)
  const more = calls.length - shown.length
  return [
    'tool calls:',
    ...shown.flatMap((call, index) => callLine(call, index + 1, isWhole)),
    ...(more > 0 ? [`  … ${plural(more, 'more call')} (-v shows all)`] : []),
  ]
}

/** `  2. search {"query": "rain"} (120 ms)`, and what came back where all is asked for. */
function callLine({ tool, input, output, error, duration_ms }: ToolCall, number: number, isWhole: boolean): string[] {
  const args = input === undefined ? '' : ` ${jsonText(input, isWhole ? Number.POSITIVE_INFINITY : LONGEST_LINE)}`
  const took = duration_ms === undefined ? '' : ` (${seconds(duration_ms)})`
  const failed = error === undefined ? [] : block('     error', error, isWhole)
  return [
    `  ${number}. ${onOneLine(`${tool}${args}`)}${took}`,
    ...failed,
    ...(isWhole && output !== undefined ? block('     output', asText(output), true).map(indented) : []),
  ]
}

function indented(line: string, index: number): string {
  return index === 0 ? line : `     ${line}`
}
