/** A request to an HTTP server. */
export interface HttpRequest {
  readonly method: string
  /** Names may have capitals. Blanks and line breaks around values are removed. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** A response of which the status and the headers have arrived. */
export interface HttpResponse {
  readonly status: number
  readonly statusText: string
  /** Headers by their name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The content, decoded, as it arrives. */
  readonly body: AsyncIterable<Uint8Array>
  /** Reads all of the content. Returns undefined, and closes the connection, if it is larger than `maxBytes`. */
  content(maxBytes: number): Promise<Uint8Array | undefined>
  /** Closes the connection of a response that is not read. */
  cancel(): void
}

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status <= 299
}
