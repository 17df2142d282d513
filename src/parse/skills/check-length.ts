import type { Diagnostics } from '../diagnostics.ts'
import type { Source } from '../yaml/source.ts'

interface LengthLimits {
  readonly lines: number
  /** Estimated. */
  readonly tokens: number
  readonly reason: string
  readonly hint: string
}

/** What the Agent Skills specification recommends for the instructions in SKILL.md. */
export const SKILL_LIMITS: LengthLimits = {
  lines: 500,
  tokens: 5000,
  reason: 'the specification recommends less than 500 lines and 5,000 tokens, since agents load it as a whole',
  hint: 'move details into files in `references/`, and say in SKILL.md when to read each',
}

/** How much of a file agents read at once. */
export const DOCUMENT_LIMITS: LengthLimits = {
  lines: 2000,
  tokens: 25_000,
  reason: 'agents read about 2,000 lines or 25,000 tokens at once',
  hint: 'split the file, so that each part is read only if it is needed',
}

/** Reports a text that is longer than an agent should load. */
export function checkLength(
  source: Source,
  start: number,
  { lines: mostLines, tokens: mostTokens, reason, hint }: LengthLimits,
  diagnostics: Diagnostics,
): void {
  const text = source.text.slice(start).trimEnd()
  const lines = text === '' ? 0 : countLines(text)
  const tokens = estimateTokens(text)
  if (lines <= mostLines && tokens <= mostTokens) return
  const size = [
    ...(lines > mostLines ? [`${lines.toLocaleString('en')} lines`] : []),
    ...(tokens > mostTokens ? [`about ${tokens.toLocaleString('en')} tokens`] : []),
  ].join(' and ')
  const what = start === 0 ? 'this file has' : 'the instructions have'
  diagnostics.add({ code: 'long-skill', at: source.location(start, 1), message: `${what} ${size}: ${reason}`, hint })
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** About four characters of English and one of other scripts make a token. Rounded to two digits, as it is an estimate. */
function estimateTokens(text: string): number {
  const wide = text.match(/[\u0400-\uffff]/g)?.length ?? 0
  const tokens = (text.length - wide) / 4 + wide
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 1)
  return Math.ceil(tokens / step) * step
}
