import { plural } from '../../lib/text/format.ts'

/** GitHub rejects comments of more than 65,536 characters; what posts one adds a few lines of its own. */
const LONGEST_REPORT = 60_000

/** Yields the blocks of a report that fit into a comment, in order, and says how many did not. */
export function* withinLimit(blocks: Iterable<string>): Generator<string> {
  let length = 0
  let left = 0
  for (const block of blocks) {
    if (length + block.length > LONGEST_REPORT) left++
    else {
      length += block.length
      yield block
    }
  }
  if (left > 0) yield `\n**${plural(left, 'part')} of this report left out: too long for a comment**\n`
}

/** The longest list: escaped texts may be many times as long as what is read. */
const LONGEST_LIST = 12_000

/** Joins the lines that fit into a list; `more` says how many do not. */
export function limitedLines(lines: Iterable<string>, count: number, more: (left: number) => string): string {
  let text = ''
  let listed = 0
  for (const line of lines) {
    if (text.length + line.length > LONGEST_LIST) break
    text += line
    listed++
  }
  return listed < count ? `${text}${more(count - listed)}` : text
}
