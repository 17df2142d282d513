/** Whether a status of HTTP says that asking again may help. */
export function isRetryable(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** Whether a status says that the request was turned away before the agent saw it: signed out, not allowed, too many calls. */
export function isBeforeAgent(status: number): boolean {
  return status === 401 || status === 403 || status === 407 || status === 429 || status === 529
}
