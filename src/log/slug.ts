import { isReservedName } from '../lib/reserved-name.ts'

/** The name of the file for a conversation that begins with this input: its letters and digits, of any script. Marks belong to their letters: without them Hindi or Thai cannot be read. */
export function slugOf(input: string): string {
  const words = input
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  const slug = cut(words) || 'default'
  return isReservedName(slug) ? `${slug}_` : slug
}

/** The longest name of a file that an input gives. */
const LONGEST = 50

/** Cut back to the last whole word, where there is more than one. */
function cut(words: string): string {
  const characters = [...words]
  if (characters.length <= LONGEST) return words
  const kept = characters.slice(0, LONGEST).join('')
  const isWhole = characters[LONGEST] === '_'
  const end = isWhole ? kept.length : kept.lastIndexOf('_')
  return (end > 0 ? kept.slice(0, end) : kept).replace(/_+$/, '')
}
