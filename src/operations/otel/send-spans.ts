import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import { truncateForMessage } from '../../lib/text/quote.ts'
import type { Host } from '../../model/host.ts'
import { isSuccess } from '../../model/http-exchange.ts'
import { fetchResponse } from '../../providers/shared/http/http-request.ts'
import { retryAfterMs } from '../../providers/shared/http/http-status.ts'
import type { OtelSettings } from './otel-settings.ts'

/** What became of a request to a collector. */
export type Delivery =
  | { readonly kind: 'accepted'; readonly rejected: number; readonly message: string | undefined }
  /** The collector may accept it later. `isAnswered`: it answered, so that it is worth waiting for. */
  | { readonly kind: 'retry'; readonly problem: string; readonly after_ms: number; readonly isAnswered: boolean }
  | { readonly kind: 'refused'; readonly problem: string }

/** The statuses after which OTLP allows a retry. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504]

/** Sends an ExportTraceServiceRequest. Never throws. */
export async function sendSpans(
  body: string,
  { url, headers }: Pick<OtelSettings, 'url' | 'headers'>,
  signal: AbortSignal,
  host: Host,
): Promise<Delivery> {
  try {
    const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body, signal }
    const { response, text } = await fetchResponse(url, request, host, '--otel')
    if (isSuccess(response)) return accepted(text)
    const problem = `it answered ${response.status}${reasonIn(text)}`
    if (!RETRYABLE.includes(response.status)) return { kind: 'refused', problem }
    const after_ms = retryAfterMs(response.headers, host.clock.now()) ?? 0
    return { kind: 'retry', problem, after_ms, isAnswered: true }
  } catch (error) {
    return { kind: 'retry', problem: (error as Error).message, after_ms: 0, isAnswered: false }
  }
}

/** Reads how many spans the collector has rejected. */
function accepted(text: string): Delivery {
  const body = parseJson(text)
  const partial = isMapping(body) ? body['partialSuccess'] : undefined
  const { rejectedSpans, errorMessage } = isMapping(partial) ? partial : {}
  // 64-bit integers are strings in OTLP/JSON.
  const rejected = Number(rejectedSpans ?? 0)
  const message = typeof errorMessage === 'string' && errorMessage !== '' ? truncateForMessage(errorMessage) : undefined
  return { kind: 'accepted', rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0, message }
}

/** The message of a Status, else the beginning of the text. */
function reasonIn(text: string): string {
  const body = parseJson(text)
  const message = isMapping(body) && typeof body['message'] === 'string' ? body['message'] : text
  return message.trim() === '' ? '' : `: ${truncateForMessage(message.trim())}`
}
