import type { Palette } from '../../lib/palette.ts'
import { printable, printableLine } from '../../lib/text/escape.ts'
import type { RunEvent } from '../../model/attempt.ts'
import type { Result } from '../../model/result.ts'

/** Progress of a run, for people. */
export interface Progress {
  event(event: RunEvent): void
  result(result: Result): void
  /** `read` says how far the run is from its decisions, one line each. */
  evidence(read: () => readonly string[]): void
  /** Prints a line that is not redrawn. */
  say(text: string): void
  end(): void
}

/** Prints warnings and messages, and no progress. */
export function silent(palette: Palette, write: (text: string) => void): Progress {
  return {
    event(event) {
      if (event.type === 'warning') write(`${warningText(event.message, palette)}\n`)
    },
    result() {},
    evidence() {},
    say: text => write(`${text}\n`),
    end() {},
  }
}

/** Formats a problem that does not stop the work. */
export function warningText(message: string, palette: Palette): string {
  return `${palette.warning('warning')} ${printableLine(message)}`
}

/** Formats the prompt and the answer of an attempt in full. */
export function verboseText({ test_id, input, answer, error }: Result): string {
  const asked = input.map(message => {
    const { role, content } = message as { role: string; content?: unknown }
    return told(role, typeof content === 'string' ? content : (JSON.stringify(content) ?? ''))
  })
  const came = answer === null ? told('no answer', error?.message ?? '') : told('answer', answer)
  return [`--- ${printableLine(test_id)}`, ...asked, came].join('\n')
}

/** Indents further lines, so that none looks like output of the program. */
function told(who: string, text: string): string {
  return `  ${printableLine(who)}: ${printable(text).replaceAll('\n', '\n    ')}`
}
