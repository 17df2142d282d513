import { dirname } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Host } from '../model/host.ts'
import type { Suite } from '../spec/suite.ts'
import type { Target } from '../spec/targets.ts'
import { diagnosticsOf } from './diagnostics-of.ts'

/** What this machine lacks to ask targets, each once for a folder of suites. */
export async function reportLacking(
  asked: Iterable<readonly [Suite, Target]>,
  host: Host,
): Promise<readonly Diagnostic[]> {
  const found = [...asked].map(async ([suite, { provider, config, home, at }]) => {
    const message = await provider.lacks?.(config, home, host, dirname(suite.file))
    const hint = 'install it, or correct the target; `assay targets` shows what each target needs'
    return message === undefined ? [] : [{ code: 'not-available' as const, at, message, hint }]
  })
  return diagnosticsOf((await Promise.all(found)).flat(), host)
}
