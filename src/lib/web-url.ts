const LONGEST = 2000

/** The address of a web page, safe to link to; undefined for any other text, and for one with a password. */
export function webUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST || !URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  const isPlain = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  // A link in Markdown would end at a parenthesis.
  return isPlain ? href.replaceAll('(', '%28').replaceAll(')', '%29') : undefined
}
