const MAX_ATTEMPTS = 3

/** An answer of GitHub that is not a success, or `status` undefined: no answer. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/**
 * Returns a function that sends a request and returns the parsed answer. Overload, failures of the server and broken
 * connections are tried again; no request takes longer than `timeoutMs`, and all together at most six times that.
 */
export function githubApi({ token, timeoutMs }) {
  const deadline = AbortSignal.timeout(6 * timeoutMs)

  return async function request(method, url, body) {
    for (let count = 1; ; count++) {
      const { value, error, retryAfter } = await attempt(method, url, body).catch(asFailure)
      if (!error) return value
      const isTemporary = !error.status || error.status === 429 || error.status >= 500 || retryAfter
      const delay = retryAfter ? Number(retryAfter) * 1000 : (timeoutMs / 20) * 2 ** count
      const isLast = count === MAX_ATTEMPTS || deadline.aborted || !(delay <= timeoutMs)
      if (!isTemporary || isLast) {
        error.message = `${method} ${new URL(url).pathname}: ${error.message}`
        throw error
      }
      await new Promise(resolve => setTimeout(resolve, delay))
    }
  }

  async function attempt(method, url, body) {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': 'assay-action',
        'x-github-api-version': '2022-11-28',
      },
      signal: AbortSignal.any([deadline, AbortSignal.timeout(timeoutMs)]),
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return { value: text === '' ? undefined : JSON.parse(text) }
    const error = new ApiError(response.status, `status ${response.status}`)
    return { error, retryAfter: response.headers.get('retry-after') }
  }
}

/** The error behind an exception of `fetch`, whose reason is in its cause. */
function asFailure({ name, message, cause }) {
  const reason = name === 'TimeoutError' ? 'timed out' : (cause?.code ?? cause?.message ?? message)
  return { error: new ApiError(undefined, reason) }
}
