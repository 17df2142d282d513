import { Semaphore } from '../lib/semaphore.ts'
import type { Host } from '../model/host.ts'
import type { Target } from '../model/target.ts'
import { type ListedTarget, listTargets, type TargetList } from '../parse/targets/list-targets.ts'
import { providers } from '../providers/index.ts'
import { targetTypes } from '../spec/targets.ts'
import { type Ping, pingTarget } from './ping-target.ts'

/** A target of a file and, where it was pinged, the result. */
export interface CheckedTarget extends ListedTarget {
  readonly ping?: Ping | undefined
}

export type TargetStatus = 'ok' | 'mistake' | 'missing' | 'no answer'

export function targetStatus({ target, diagnostics, lacks, ping }: CheckedTarget): TargetStatus {
  const isKeyMissing = diagnostics.every(({ code }) => code === 'missing-variable')
  if (!target) return isKeyMissing ? 'missing' : 'mistake'
  if (lacks !== undefined) return 'missing'
  return ping?.error && !ping.is_there ? 'no answer' : 'ok'
}

/** Reads the targets of a file, or one of them, each with its own diagnostics. */
export function readTargets(file: string, name: string | undefined, host: Host): Promise<TargetList> {
  return listTargets(file, { host, types: targetTypes(providers), name })
}

/** How many targets are pinged at once. */
const AT_ONCE = 16

export interface PingOptions {
  /** Ends pings that wait for an answer. */
  readonly signal: AbortSignal
  /** Called before a ping; the returned function is called after it. */
  onPing?(name: string): () => void
}

/** The targets that can be pinged: those that lack nothing. */
export function pingable(listed: readonly ListedTarget[]): Target[] {
  return listed.flatMap(({ target, lacks }) => (target && lacks === undefined ? [target] : []))
}

/** Asks every target that lacks nothing for one word, several at once. */
export async function pingTargets(
  listed: readonly ListedTarget[],
  { signal, onPing }: PingOptions,
  host: Host,
): Promise<CheckedTarget[]> {
  const pings = new Map<Target, Ping>()
  const semaphore = new Semaphore(AT_ONCE)
  const ask = async (target: Target) => {
    const end = onPing?.(target.name)
    pings.set(target, await pingTarget(target, { host, signal }))
    end?.()
  }
  await Promise.all(pingable(listed).map(target => semaphore.run(() => ask(target))))
  return listed.map(each => ({ ...each, ping: each.target && pings.get(each.target) }))
}
