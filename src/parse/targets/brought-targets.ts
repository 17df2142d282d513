import { dirname } from 'node:path'
import type { Suite } from '../../model/suite.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { Source } from '../yaml/source.ts'
import { SourceNode } from '../yaml/source-node.ts'
import { extendTargets, type WrittenTarget } from './extend-targets.ts'
import type { TargetsFile } from './targets-file.ts'

/** The targets that a suite brings. They are located at the file that describes the suite. */
export function broughtTargets(suite: Suite): readonly WrittenTarget[] {
  const at = nodeOf(suite)
  const home = dirname(suite.file)
  return (suite.targets ?? []).map(raw => ({ raw, name: String(raw['name']), at, home }))
}

/** The targets of a suite that has no targets file. */
export function targetsWithoutFile(
  suite: Suite,
  brought: readonly WrittenTarget[],
  diagnostics: Diagnostics,
): TargetsFile {
  return { targets: extendTargets(brought, () => diagnostics), at: nodeOf(suite) }
}

function nodeOf({ at }: Suite): SourceNode {
  return SourceNode.ofText(new Source(at.file, ''), 0, 0)
}
