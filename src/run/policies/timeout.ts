import type { Answer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import type { Policy } from '../ask.ts'

/** How long a provider may take to end what it has begun. */
const GRACE_MS = 5000

/** Ends an ask that takes too long, with everything that it has started. */
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
            // A provider that does not end when it is told to is not waited for.
            callOff = host.after(GRACE_MS, () => reject(reason))
          }
          forward = () => stop(signal.reason)
          if (signal.aborted) forward()
          else {
            signal.addEventListener('abort', forward)
            callOff = host.after(seconds * 1000, () => stop(new NoAnswer('timeout', `no answer within ${seconds} s`)))
          }
          ask(prompt, own).then(resolve, reject)
        })
        if (stopped) throw own.signal.reason
        return answer
      } catch (error) {
        throw stopped && !(error instanceof NoAnswer) ? own.signal.reason : error
      } finally {
        callOff()
        signal.removeEventListener('abort', forward)
      }
    }
}
