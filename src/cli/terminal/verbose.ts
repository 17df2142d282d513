import { printable } from '../../lib/printable.ts'
import type { Result } from '../../model/result.ts'

/** What was asked and what came back, in full. */
export function verboseText({ test_id, input, answer, error }: Result): string {
  const asked = input.map(message => {
    const { role, content } = message as { role: string; content?: unknown }
    return `  ${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`
  })
  const came = answer === null ? `  no answer: ${error?.message ?? ''}` : `  answer: ${answer}`
  return printable([`--- ${test_id}`, ...asked, came].join('\n'))
}
