/** A command line of words that a POSIX shell reads as they are. */
export function shellWords(...words: readonly string[]): string {
  return words.map(quotedForShell).join(' ')
}

function quotedForShell(word: string): string {
  return /^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
