import { isMapping } from '../lib/objects.ts'
import { asText, contentText } from '../model/messages/content-text.ts'
import type { Result } from '../model/result.ts'

/** What was asked, as text: a single message of the user as it is, several each below a line with its role. */
export function inputText({ input }: Pick<Result, 'input'>): string {
  const [only, ...others] = input
  if (others.length === 0 && isMapping(only) && only['role'] === 'user') return messageText(only)
  return input
    .map(message =>
      isMapping(message) ? `# ${asText(message['role'] ?? '')}\n${messageText(message)}` : asText(message),
    )
    .join('\n\n')
}

/** What was expected, as text: of messages the last one. Undefined where nothing was. */
export function expectedText({ expected_output: expected }: Pick<Result, 'expected_output'>): string | undefined {
  if (expected === undefined) return undefined
  const last = Array.isArray(expected) ? expected.at(-1) : undefined
  return isMapping(last) && 'role' in last ? contentText(last['content'] ?? '') : asText(expected)
}

function messageText({ content = '', tool_calls }: Readonly<Record<string, unknown>>): string {
  const text = contentText(content)
  return tool_calls === undefined ? text : `${text}\n${asText(tool_calls)}`.trimStart()
}
