/** What stands between the fences of a text, block by block; one that is never closed is none. */
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
