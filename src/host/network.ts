interface Dispatcher {
  readonly constructor: new (options: object) => Dispatcher
}

let patient: Promise<Dispatcher | undefined> | undefined

/** `fetch` that waits as long as its signal lets it: Node's own gives up after five minutes, whatever the caller says. */
export async function fetchWithoutTimeout(url: string, init: RequestInit): Promise<Response> {
  patient ??= createDispatcher()
  const dispatcher = await patient
  return fetch(url, (dispatcher ? { ...init, dispatcher } : init) as RequestInit)
}

/** One like that which Node uses, under the name that Node gives to it, without limits of its own. */
async function createDispatcher(): Promise<Dispatcher | undefined> {
  // Node makes its dispatcher when something is fetched for the first time.
  await fetch('data:,')
  const own = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')] as Dispatcher | undefined
  return own && new own.constructor({ headersTimeout: 0, bodyTimeout: 0 })
}
