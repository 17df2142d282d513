import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnosticData } from '../diagnostics/render/json.ts'
import type { ListedTarget } from '../parse/targets/list-targets.ts'
import type { Ping } from './ping-target.ts'
import { shownPath } from './terminal/terminal.ts'

/** A target of a file and, where it was asked, what came of that. */
export interface SeenTarget extends ListedTarget {
  readonly ping?: Ping | undefined
}

export type TargetStatus = 'ok' | 'mistake' | 'missing' | 'no answer'

export function statusOf({ target, diagnostics, lacks, ping }: SeenTarget): TargetStatus {
  const isKeyMissing = diagnostics.every(({ code }) => code === 'missing-variable')
  if (!target) return isKeyMissing ? 'missing' : 'mistake'
  if (lacks !== undefined) return 'missing'
  return ping?.error && !ping.is_there ? 'no answer' : 'ok'
}

/** Targets for programs. */
export function targetsData(seen: readonly SeenTarget[], diagnostics: readonly Diagnostic[], file: string) {
  return { file: shownPath(file), targets: seen.map(targetData), diagnostics: diagnostics.map(shownDiagnostic) }
}

function targetData(seen: SeenTarget) {
  const { name, provider, about, judge_target, line, lacks, diagnostics, ping } = seen
  const facts = { name, provider, about, judge_target, line, status: statusOf(seen), lacks }
  return { ...facts, diagnostics: diagnostics.map(shownDiagnostic), ping }
}

function shownDiagnostic(diagnostic: Diagnostic) {
  return diagnosticData(diagnostic, shownPath)
}
