import { resolve } from 'node:path'
import { evaluators } from './evaluators/index.ts'
import { nodeHost } from './host/node.ts'
import { type Loaded, loadFiles } from './parse/load-files.ts'

export type { Diagnostic } from './diagnostics/diagnostic.ts'
export type { Check } from './evaluators/evaluator.ts'
export type { Block, Message } from './model/message.ts'
export type { Origin, Place } from './model/place.ts'
export type { Suite } from './spec/suite.ts'
export type { Test } from './spec/test.ts'

/** Loads a suite, or a dataset, by its path: the suite where it has no errors, and every mistake in it. */
export async function loadSuite(
  path: string,
): Promise<{ suite: Loaded['suites'][number] | undefined; diagnostics: Loaded['diagnostics'] }> {
  const host = nodeHost()
  const { suites, diagnostics } = await loadFiles([resolve(host.cwd, path)], { host, evaluators })
  return { suite: suites[0], diagnostics }
}
