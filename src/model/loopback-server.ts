/** A request to a server on this machine. */
export interface LoopbackRequest {
  readonly method: string
  /** Path and query, as the client sent them. */
  readonly url: string
  /** Headers by their name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

export interface LoopbackResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** What a server on this machine does. */
export interface LoopbackService {
  /** Default: a free port. */
  readonly port?: number | undefined
  /** Maximum size of the body of a request; larger ones are refused. */
  readonly maxBodyBytes: number
  /** Answers a request. Any throw is a bug. */
  answer(request: LoopbackRequest): Promise<LoopbackResponse>
}

/** A server that was started. */
export interface LoopbackServer {
  readonly port: number
  /** Ends open connections, and frees the port. */
  close(): Promise<void>
}
