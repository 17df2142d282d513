import { dirname, resolve } from 'node:path'
import type { TargetFolders } from '../../model/provider.ts'
import type { Suite } from '../../model/suite.ts'

/** Absolute paths of the folders that `execution.agent` of a suite and its tests adds for their agents, selected or not. */
export function addedFolders(suite: Suite): TargetFolders['added'] {
  const home = dirname(suite.file)
  const added = { plugins: new Set<string>(), add_dirs: new Set<string>() }
  for (const { execution } of [suite, ...suite.tests]) {
    for (const path of execution.agent?.plugins ?? []) added.plugins.add(resolve(home, path))
    for (const path of execution.agent?.add_dirs ?? []) added.add_dirs.add(resolve(home, path))
  }
  return { plugins: [...added.plugins], add_dirs: [...added.add_dirs] }
}
