import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'

/** Whether a pattern is found; a search that takes too long is no grade. */
export function foundOrUnjudged(pattern: string, flags: string, text: string, host: Host): boolean {
  const found = host.patterns.test(pattern, flags, text)
  if (found === undefined) throw new Unjudged('regex-too-slow', `the pattern took more than a second: ${pattern}`)
  return found
}
