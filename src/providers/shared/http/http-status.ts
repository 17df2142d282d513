/** Whether a request with this HTTP status is worth retrying. */
export function isRetryable(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** Whether the status means that the request was rejected before it reached the agent, as for a missing key or a rate limit. */
export function isRejectedBeforeAgent(status: number): boolean {
  return status === 401 || status === 403 || status === 407 || status === 429 || status === 529
}

/** Returns how long the server asks to wait, in milliseconds: from `Retry-After`, or from the reset of an exhausted rate limit. */
export function retryAfterMs(headers: ReadonlyMap<string, string>, now: number): number | undefined {
  const exact = headers.get('retry-after-ms')
  if (exact !== undefined && SECONDS.test(exact)) return Number(exact)
  const header = headers.get('retry-after')
  if (header !== undefined) return parseWait(header, now)
  const resets = LIMITS.flatMap(([left, reset]) =>
    headers.get(left)?.trim() === '0' ? (parseWait(headers.get(reset) ?? '', now) ?? []) : [],
  )
  return resets.length > 0 ? Math.max(...resets) : undefined
}

const SECONDS = /^\s*\d+(\.\d+)?\s*$/

/** Rate-limit headers: the remaining amount and the time of its reset. */
const LIMITS = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['anthropic-ratelimit-input-tokens-remaining', 'anthropic-ratelimit-input-tokens-reset'],
  ['anthropic-ratelimit-output-tokens-remaining', 'anthropic-ratelimit-output-tokens-reset'],
] as const

/** Parses seconds, `6m0.5s` or a date into milliseconds. */
function parseWait(text: string, now: number): number | undefined {
  if (SECONDS.test(text)) return Number(text) * 1000
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text.trim()) {
    return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS[unit ?? ''] ?? 0), 0)
  }
  const date = parseDate(text)
  return date === undefined ? undefined : Math.max(0, date - now)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

function parseDate(header: string): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: this reads a date that is given, not the clock
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : date
}
