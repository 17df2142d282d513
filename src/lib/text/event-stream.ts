/** An event of a server-sent event stream. */
export interface StreamEvent {
  readonly data: string
  /** The last id that the stream has sent so far. */
  readonly id: string | undefined
  /** Milliseconds to wait before the next connection, if the stream has sent them so far. */
  readonly retry: number | undefined
}

/** Parses a server-sent event stream as it arrives. An event that is cut off at the end is dropped. */
export async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let data: string[] = []
  let id: string | undefined
  let retry: number | undefined
  for await (const line of linesIn(chunks)) {
    const [, field = '', value = ''] = /^([^:]*)(?::(?: )?([\s\S]*))?$/.exec(line) ?? []
    if (field === 'data') data.push(value)
    // Browsers and clients ignore an id with a NUL, which a header cannot have.
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value)
    if (line !== '') continue
    // An event without data only sets the id and the time to wait.
    yield { data: data.join('\n'), id, retry }
    data = []
  }
}

async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  let endedWithReturn = false
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text === '') continue
    const [first = '', ...others] = (endedWithReturn && text.startsWith('\n') ? text.slice(1) : text).split(
      /\r\n|\n|\r/,
    )
    endedWithReturn = text.endsWith('\r')
    begun.push(first)
    for (const next of others) {
      yield begun.join('')
      begun = [next]
    }
  }
}
