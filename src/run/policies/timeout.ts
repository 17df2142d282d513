import type { Answer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import type { Policy } from '../ask.ts'

/** How long a provider may take to end what it has begun. */
const GRACE_MS = 5000

/** Ends an ask that takes too long, with everything that it has started. */
export function timeout(seconds: number, host: Host): Policy {
  return ask => async (prompt, signal) => {
    const own = new AbortController()
    const forward = () => own.abort(signal.reason)
    signal.addEventListener('abort', forward, { once: true })
    const late = () => own.abort(new NoAnswer('timeout', `no answer within ${seconds} s`))
    let callOff = host.after(seconds * 1000, late)
    if (signal.aborted) forward()
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        // A provider that does not end when it is told to is not waited for.
        const giveUp = () => {
          callOff()
          callOff = host.after(GRACE_MS, () => reject(own.signal.reason))
        }
        if (own.signal.aborted) giveUp()
        else own.signal.addEventListener('abort', giveUp)
        ask(prompt, own.signal).then(resolve, reject)
      })
      own.signal.throwIfAborted()
      return answer
    } catch (error) {
      throw own.signal.aborted && !(error instanceof NoAnswer) ? own.signal.reason : error
    } finally {
      callOff()
      signal.removeEventListener('abort', forward)
    }
  }
}
