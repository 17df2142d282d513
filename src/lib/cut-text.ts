/** The beginning of a text, with a mark where it was cut; never inside a character. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text
  const code = text.charCodeAt(longest - 1)
  const splits = code >= 0xd800 && code <= 0xdbff
  return `${text.slice(0, splits ? longest - 1 : longest)}…`
}

/** The end of a text, with a mark where it was cut; never inside a character. */
export function cutStart(text: string, longest: number): string {
  if (text.length <= longest) return text
  const start = text.length - longest
  const code = text.charCodeAt(start)
  const splits = code >= 0xdc00 && code <= 0xdfff
  return `…${text.slice(splits ? start + 1 : start)}`
}
