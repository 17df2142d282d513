import { isMapping } from '../lib/objects.ts'
import { asText, contentText } from '../model/messages/content-text.ts'
import type { Result } from '../model/result.ts'

/** Returns the input as text: a single user message as is, several messages each below its role. */
export function inputText({ input }: Pick<Result, 'input'>): string {
  const [only, ...others] = input
  if (others.length === 0 && isMapping(only) && only['role'] === 'user') return messageText(only)
  return input
    .map(message =>
      isMapping(message) ? `# ${asText(message['role'] ?? '')}\n${messageText(message)}` : asText(message),
    )
    .join('\n\n')
}

/** Returns the expected output as text, or undefined if the test has no expected output. Of several messages, the last counts. */
export function expectedText({ expected_output: expected }: Pick<Result, 'expected_output'>): string | undefined {
  if (expected === undefined) return undefined
  const last = Array.isArray(expected) ? expected.at(-1) : undefined
  return isMapping(last) && 'role' in last ? contentText(last['content'] ?? '') : asText(expected)
}

/** Why a check has no score on a target. */
export function inapplicableTo(target: string): string {
  return `does not apply to ${target}`
}

function messageText({ content = '', tool_calls }: Readonly<Record<string, unknown>>): string {
  const text = contentText(content)
  return tool_calls === undefined ? text : `${text}\n${asText(tool_calls)}`.trimStart()
}
