import type { Host } from '../../model/host.ts'
import type { Provenance } from '../../model/provenance.ts'
import { collectProvenance } from '../../record/provenance.ts'
import type { ResolvedRun } from './resolve-run.ts'

/** What is being found out about where a run comes from. */
interface BegunProvenance {
  readonly provenance: Promise<Provenance>
  /** Ends git, once its facts are of no use. */
  cancel(): void
}

/** Begins to collect where a run comes from: git looks for changes while suites are loaded. */
export function beginProvenance({ request, folders }: ResolvedRun, host: Host): BegunProvenance {
  const ended = host.clock.createAbortController()
  const provenance = collectProvenance(request, folders, host, ended.signal)
  return { provenance, cancel: () => ended.abort() }
}
