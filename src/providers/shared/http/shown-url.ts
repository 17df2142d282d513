/** A URL as it may be shown: without a name and password, and without what stands behind its path. */
export function shownUrl(url: string): string {
  const [path = '', query] = withoutPassword(url.trim())
    .replace(/#.*/s, '')
    .split(/\?(.*)/s)
  return `${path}${query === undefined ? '' : '?…'}`
}

function withoutPassword(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  // Whatever it is, a password would stand before the last `@`.
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return url.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1')
  const { protocol, host, pathname, search, username, password } = parsed
  return username === '' && password === '' ? url : `${protocol}//${host}${pathname}${search}`
}
