import type { Host } from '../model/host.ts'
import type { Target } from '../model/target.ts'

const DEFAULT_WORKERS = 16

/** How many answers of a target may be under way at once: what it says itself, else the user, else its provider. */
export function workersOf(
  { settings, provider }: Pick<Target, 'settings' | 'provider'>,
  given: number | undefined,
  host: Host,
): number {
  return settings.workers ?? given ?? provider.workers?.(host) ?? DEFAULT_WORKERS
}
