import { printable, printableLine } from '../../lib/text/escape.ts'
import type { Result } from '../../model/result.ts'

/** What was asked and what came back, in full. */
export function verboseText({ test_id, input, answer, error }: Result): string {
  const asked = input.map(message => {
    const { role, content } = message as { role: string; content?: unknown }
    return told(role, typeof content === 'string' ? content : (JSON.stringify(content) ?? ''))
  })
  const came = answer === null ? told('no answer', error?.message ?? '') : told('answer', answer)
  return [`--- ${printableLine(test_id)}`, ...asked, came].join('\n')
}

/** Further lines are set in: none of them looks like one of ours. */
function told(who: string, text: string): string {
  return `  ${printableLine(who)}: ${printable(text).replaceAll('\n', '\n    ')}`
}
