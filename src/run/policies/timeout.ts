import { type Answer, NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Policy } from '../ask.ts'

/** How long a provider may take to end after an abort. */
const GRACE_MS = 5000

/** Aborts a request after a time. A retry delay longer than that makes an error final. */
export function timeout(seconds: number, host: Host): Policy {
  return ask =>
    async (prompt, { signal }) => {
      const own = new AbortController()
      let stopped: { readonly reason: unknown } | undefined
      let callOff = () => {}
      let forward = () => {}
      try {
        const answer = await new Promise<Answer>((resolve, reject) => {
          const stop = (reason: unknown) => {
            if (stopped) return
            stopped = { reason }
            callOff()
            own.abort(reason)
            // A provider may ignore the abort.
            callOff = host.clock.setTimer(GRACE_MS, () => reject(reason))
          }
          forward = () => stop(signal.reason)
          if (signal.aborted) forward()
          else {
            signal.addEventListener('abort', forward)
            callOff = host.clock.setTimer(seconds * 1000, () =>
              stop(new NoAnswer('timeout', `no answer within ${seconds} s`)),
            )
          }
          ask(prompt, own).then(resolve, reject)
        })
        if (stopped) throw own.signal.reason
        return answer
      } catch (error) {
        throw stopped && !(error instanceof NoAnswer) ? own.signal.reason : withoutLongWait(error, seconds)
      } finally {
        callOff()
        signal.removeEventListener('abort', forward)
      }
    }
}

/** Makes an error final if the service requests a wait longer than the timeout. */
function withoutLongWait(error: unknown, seconds: number): unknown {
  if (!(error instanceof NoAnswer) || (error.retry_after_ms ?? 0) <= seconds * 1000) return error
  const wait = Math.ceil((error.retry_after_ms ?? 0) / 1000)
  const message = `${error.message}; the service requests a wait of ${wait} s, longer than the timeout of ${seconds} s`
  return new NoAnswer(error.code, message, { ...error, retryable: false, retry_after_ms: undefined })
}
