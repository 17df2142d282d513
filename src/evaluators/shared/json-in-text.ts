import { parseExactJson } from '../../lib/json/exact-json.ts'

/** Parses the JSON in an answer: the whole text, else its only fenced block, else the text between its outermost braces. Large integers become BigInts. */
export function jsonInText(text: string): { readonly value: unknown } | undefined {
  const blocks = fencedBlocks(text)
  const candidates = [
    text,
    ...(blocks.length === 1 ? blocks : []),
    text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1),
  ]
  for (const candidate of candidates) {
    const value = parseExactJson(candidate)
    if (value !== undefined) return { value }
  }
  return undefined
}

/** The contents of the closed fenced blocks of a text. */
export function fencedBlocks(text: string): string[] {
  const blocks: string[] = []
  let open: { fence: string; lines: string[] } | undefined
  for (const line of text.split(/\r?\n/)) {
    const fence = fenceOf(line)
    if (!open) {
      if (fence) open = { fence, lines: [] }
    } else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      blocks.push(open.lines.join('\n'))
      open = undefined
    } else open.lines.push(line)
  }
  return blocks
}

/** The fence that a line begins with. A pattern would run out of stack on millions of marks. */
function fenceOf(line: string): string | undefined {
  const start = /^ {0,3}(?=```|~~~)/.exec(line)?.[0].length
  if (start === undefined) return undefined
  let end = start
  while (line[end] === line[start]) end++
  return line.slice(start, end)
}
