import type { Palette } from '../../lib/palette.ts'
import { printable, printableLine } from '../../lib/text/escape.ts'
import type { Result } from '../../model/result.ts'
import type { RunEvent } from '../../model/run-event.ts'

/** What people see while a run goes on. */
export interface Progress {
  event(event: RunEvent): void
  result(result: Result): void
  /** A line that stays. */
  say(text: string): void
  end(): void
}

/** Nothing but what must be said. */
export function silent(palette: Palette, write: (text: string) => void): Progress {
  return {
    event(event) {
      if (event.type === 'warning') write(`${warningText(event.message, palette)}\n`)
    },
    result() {},
    say: text => write(`${text}\n`),
    end() {},
  }
}

/** Something that did not stop the work, but should be known. */
export function warningText(message: string, palette: Palette): string {
  return `${palette.warning('warning')} ${printableLine(message)}`
}

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
