import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Host } from '../model/host.ts'
import type { TargetType } from '../spec/targets.ts'
import type { WrittenDefaults } from './default-names.ts'
import type { Loaded } from './load-files.ts'
import { loadTargets } from './load-targets.ts'

/** What was loaded, with what a run would find wrong before its first attempt. */
export async function withTargets(
  loaded: Loaded,
  types: readonly TargetType[],
  host: Host,
  defaults?: WrittenDefaults,
): Promise<Loaded> {
  const selected = loaded.suites.map(suite => ({ suite, tests: suite.tests }))
  const targets = await loadTargets(selected, { host, types, defaults })
  // A targets file that was named is looked through already.
  const said = new Set(loaded.diagnostics.map(key))
  const secrets = new Map([...loaded.secrets, ...targets.secrets])
  return {
    ...loaded,
    secrets,
    diagnostics: [...loaded.diagnostics, ...targets.diagnostics.filter(one => !said.has(key(one)))],
  }
}

function key({ code, file, line, column }: Diagnostic): string {
  return JSON.stringify([code, file, line, column])
}
