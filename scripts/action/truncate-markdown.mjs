/**
 * Cuts a Markdown text at the end of a line, so that text and notice have at most `limit` UTF-16 code units. Closes code
 * blocks, comments and `<details>` that are open there, and does not separate the head of a table from its second line.
 */
export function truncateMarkdown(text, limit, notice) {
  if (text.length <= limit) return text
  const lines = text.split('\n')
  const open = new OpenBlocks()
  let cut = { lines: 0, end: `${notice}\n` }
  let length = -1
  for (const [index, line] of lines.entries()) {
    length += line.length + 1
    if (length > limit) break
    open.read(line)
    const end = `${open.closing()}\n\n${notice}\n`
    const isPlaceToCut = !isTableDelimiter(lines[index + 1] ?? '')
    if (isPlaceToCut && length + end.length <= limit) cut = { lines: index + 1, end }
  }
  return lines.slice(0, cut.lines).join('\n') + cut.end
}

/** The second line of a table, such as `|---|--:|`. */
function isTableDelimiter(line) {
  return /^[\s|:-]*-[\s|:-]*$/.test(line) && line.includes('|')
}

/** What a text has begun and not ended. */
class OpenBlocks {
  #fence = ''
  #details = 0
  #isInComment = false

  read(line) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (this.#fence !== '') {
      const isEnd = marks.startsWith(this.#fence) && rest.trim() === ''
      if (isEnd) this.#fence = ''
    } else if (marks !== '' && !this.#isInComment) this.#fence = marks
    else this.#readTags(line)
  }

  #readTags(line) {
    for (const [tag] of line.matchAll(/<!--|-->|<\/?details\b/gi)) {
      if (this.#isInComment) this.#isInComment = tag !== '-->'
      else if (tag === '<!--') this.#isInComment = true
      else if (tag !== '-->') this.#details = Math.max(0, this.#details + (tag.startsWith('</') ? -1 : 1))
    }
  }

  closing() {
    const fence = this.#fence && `\n${this.#fence}`
    return `${fence}${this.#isInComment ? '\n-->' : ''}${'\n\n</details>'.repeat(this.#details)}`
  }
}
