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
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (!open) {
      if (fence) open = { fence, lines: [] }
    } else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      blocks.push(open.lines.join('\n'))
      open = undefined
    } else open.lines.push(line)
  }
  return blocks
}
