import { Semaphore } from '../lib/semaphore.ts'
import type { Host } from '../model/host.ts'
import type { Target } from '../model/target.ts'
import type { ListedTarget } from '../parse/targets/list-targets.ts'
import type { ExitCode } from './exit-codes.ts'
import { type Ping, pingTarget } from './ping-target.ts'
import type { SeenTarget } from './seen-target.ts'
import { watchSignals } from './signals.ts'
import type { PingProgress } from './terminal/ping-progress.ts'

/** How many targets are asked at once. */
const AT_ONCE = 16

export interface Pinged {
  readonly seen: readonly SeenTarget[]
  /** The exit code of a signal that came. */
  readonly signalled: ExitCode | undefined
}

/** Asks every target that lacks nothing, several at once, until a signal ends it. */
export async function pingTargets(
  listed: readonly ListedTarget[],
  progressOf: (count: number) => PingProgress,
  host: Host,
): Promise<Pinged> {
  const ready = listed.flatMap(({ target, lacks }) => (target && lacks === undefined ? [target] : []))
  const progress = progressOf(ready.length)
  const stop = host.clock.createAbortController()
  const signals = watchSignals(() => {
    progress.say('Stopping: what runs is ended. Again to stop at once.')
    stop.abort()
  })
  const pings = new Map<Target, Ping>()
  const turns = new Semaphore(AT_ONCE)
  const ask = async (target: Target) => {
    const end = progress.begin(target.name)
    pings.set(target, await pingTarget(target, { host, signal: stop.signal }))
    end()
  }
  await Promise.all(ready.map(target => turns.take(() => ask(target))))
  progress.end()
  signals.stop()
  const seen = listed.map(each => ({ ...each, ping: each.target && pings.get(each.target) }))
  return { seen, signalled: signals.code }
}
