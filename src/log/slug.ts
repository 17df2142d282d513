import { isReservedName } from '../lib/reserved-name.ts'

/** The longest name, in characters. */
const LONGEST = 50

/**
 * The name of the log of a conversation that begins with this input, as ConnectOnion names it: anything but letters,
 * digits and underscores of any script becomes `_`. Combining marks do too: Python does not count them as word
 * characters. Names that Windows reserves get a `_` behind them.
 */
export function slugOf(input: string): string {
  const words = input.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, '_')
  const slug = cut(trimmed(words)) || 'default'
  return isReservedName(slug) ? `${slug}_` : slug
}

/** Without `_` at its ends. A pattern would take the square of the length where there are many inside. */
function trimmed(words: string): string {
  let start = 0
  let end = words.length
  while (words[start] === '_') start++
  while (end > start && words[end - 1] === '_') end--
  return words.slice(start, end)
}

/** Cuts a long name before the last `_` that it may have; one without any at its longest. */
function cut(words: string): string {
  const characters = [...words]
  if (characters.length <= LONGEST) return words
  const kept = characters.slice(0, LONGEST).join('')
  const end = kept.lastIndexOf('_')
  return end < 0 ? kept : kept.slice(0, end)
}
