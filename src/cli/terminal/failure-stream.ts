import { compositeKey } from '../../lib/collections.ts'
import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { truncate } from '../../lib/text/quote.ts'
import { wrapIndented } from '../../lib/text/wrap.ts'
import { recordedMark } from '../../model/mark.ts'
import { attemptName, type Result } from '../../model/result.ts'
import { formatScore, marksOf } from '../../model/verdict.ts'
import { reasonsKey } from '../../report/outcome/failed-trials.ts'
import { isNotable } from '../../report/outcome/run-outcome.ts'
import { headline, reasonsOf } from '../../report/reasons.ts'
import { paint } from '../../report/verdict-colour.ts'

/** The most failures that are printed one by one. */
const MAX_STREAMED = 50

/** The most lines of a failure. */
const MAX_LINES = 4

/** The longest reason: more than fits in those lines of most terminals. */
const LONGEST_REASON = 400

/** Describes each failure when it happens. */
export class FailureStream {
  readonly #palette: Palette
  /** The first trial with the same reasons. */
  readonly #trials = new Map<string, number>()
  #streamed = 0
  #more = 0

  constructor(palette: Palette) {
    this.#palette = palette
  }

  /** `fail greets on default 0.50: does not contain "Bob"`; undefined for what did not fail, and after many failures. */
  add(result: Result, columns: number): string | undefined {
    if (!isFailure(result)) return undefined
    if (this.#streamed === MAX_STREAMED) {
      this.#more++
      return undefined
    }
    this.#streamed++
    const { verdict, score, threshold } = result
    const head = [
      paint(verdict, this.#palette)(verdict),
      this.#palette.strong(attemptName(result)),
      ...(score === null ? [] : [formatScore(score, 2, marksOf(threshold))]),
    ].join(' ')
    return limited(`${head}${this.#reason(result)}`, columns)
  }

  /** How many failures were not described; undefined if all were. */
  get rest(): string | undefined {
    return this.#more === 0 ? undefined : `and ${plural(this.#more, 'more failure')}; see the table`
  }

  /** A reason that another trial had too is not repeated. */
  #reason(result: Result): string {
    const { suite, file, test_id, target, trial } = result
    const key = compositeKey(suite, file, test_id, target, reasonsKey(result))
    const same = this.#trials.get(key)
    if (same !== undefined) return `: same as trial ${same}`
    this.#trials.set(key, trial)
    return reasonText(result)
  }
}

/** Whether a result counts as a failure in the report. */
export function isFailure(result: Result): boolean {
  return isNotable({ verdict: result.verdict, is_control: result.control === true, mark: recordedMark(result) })
}

/** `: does not contain "Bob" (and 2 more reasons)`. */
export function reasonText(result: Result): string {
  const [first, ...others] = reasonsOf(result)
  if (first === undefined) return ''
  const more = others.length > 0 ? ` (and ${plural(others.length, 'more reason')})` : ''
  return `: ${truncate(printableLine(headline(first)), LONGEST_REASON)}${more}`
}

function limited(text: string, columns: number): string {
  // The mark of a cut needs two columns.
  const lines = wrapIndented(text, columns - 2).split('\n')
  return lines.length > MAX_LINES ? `${lines.slice(0, MAX_LINES).join('\n')} …` : lines.join('\n')
}
