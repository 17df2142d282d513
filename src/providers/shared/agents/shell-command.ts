/** The command in a line such as `/bin/bash -lc 'cat a.txt'`; the line itself where it is none. */
export function shellCommand(line: string): string {
  const quoted = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c (.+)$/s.exec(line)?.[1]
  return (quoted === undefined ? undefined : oneWord(quoted)) ?? line
}

/** A word as the shell reads it, from parts in quotes or without; undefined where it is not one word. */
function oneWord(text: string): string | undefined {
  const part = /'([^']*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|\\(.)|([^\s'"\\]+)/sy
  let word = ''
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at
    const found = part.exec(text)
    if (!found) return undefined
    const [, single, double, escaped, plain] = found
    word += single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? ''
  }
  return word
}
