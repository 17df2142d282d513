/** Whether a status of HTTP says that asking again may help. */
export function isRetryable(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}
