/** The header `Retry-After`, in seconds or as a date, in milliseconds from now. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000
  const date = parseDate(header)
  return date === undefined ? undefined : Math.max(0, date - now)
}

function parseDate(header: string): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: this reads a date that is given, not the clock
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : date
}
