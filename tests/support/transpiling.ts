import { join } from 'node:path'
import { expect } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Suite } from '../../src/model/suite.ts'
import { Diagnostics } from '../../src/parse/diagnostics.ts'
import { Files } from '../../src/parse/files.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { readEvals } from '../../src/parse/suite/evals-file.ts'
import { evalsToYaml, type TranspileResult, transpile } from '../../src/transpile/transpile.ts'
import { folderWith } from './program.ts'

/** A suite that is loaded from a file. */
export async function loadedSuite(file: string): Promise<Suite> {
  const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(), evaluators })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return suites[0] ?? expect.unreachable(JSON.stringify(errors))
}

/** What a suite becomes. */
export async function transpiled(suite: object | string, files: Record<string, string> = {}): Promise<TranspileResult> {
  const text = typeof suite === 'string' ? suite : JSON.stringify(suite)
  return transpile(await loadedSuite(join(folderWith({ 'EVAL.yaml': text, ...files }), 'EVAL.yaml')))
}

/** An evals.json as an EVAL.yaml. */
export async function backToYaml(evals: string): Promise<string> {
  const file = join(folderWith({ 'evals.json': evals }), 'evals.json')
  const parseDiagnostics = new Diagnostics()
  const read = await readEvals(file, { files: new Files(nodeHost(), parseDiagnostics), diagnostics: parseDiagnostics })
  return evalsToYaml(read?.evals ?? expect.unreachable(JSON.stringify(parseDiagnostics.sorted())), evaluators)
}

/** The files of evals among those that a suite becomes. */
export function evalsIn({ files }: TranspileResult): string[] {
  return files.flatMap(({ file, content }) => (file.endsWith('trigger-evals.json') ? [] : [content]))
}
