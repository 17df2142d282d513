/** The beginning of a text, with a mark where it was cut; never inside a character. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text
  const code = text.charCodeAt(longest - 1)
  const splits = code >= 0xd800 && code <= 0xdbff
  return `${text.slice(0, splits ? longest - 1 : longest)}…`
}
