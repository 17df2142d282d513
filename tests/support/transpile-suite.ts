import { join } from 'node:path'
import { expect } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Suite } from '../../src/model/suite.ts'
import { Diagnostics } from '../../src/parse/diagnostics.ts'
import { Files } from '../../src/parse/files.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { readEvals } from '../../src/parse/suite/evals-file.ts'
import { evalsToYaml } from '../../src/transpile/evals-json/evals-to-yaml.ts'
import { type OutputFormat, transpile } from '../../src/transpile/transpile.ts'
import type { TranspileResult } from '../../src/transpile/transpiled-file.ts'
import { folderWith } from './program.ts'

/** Loads a suite from a file. */
export async function loadSuite(file: string): Promise<Suite> {
  const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(), evaluators })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return suites[0] ?? expect.unreachable(JSON.stringify(errors))
}

/** Transpiles a suite, given as YAML or as an object. */
export async function transpileSuite(
  suite: object | string,
  files: Record<string, string> = {},
  format?: OutputFormat,
): Promise<TranspileResult> {
  const text = typeof suite === 'string' ? suite : JSON.stringify(suite)
  return transpile(await loadSuite(join(folderWith({ 'EVAL.yaml': text, ...files }), 'EVAL.yaml')), format)
}

/** Converts an evals.json to an EVAL.yaml. */
export async function evalsToSuite(evals: string): Promise<string> {
  const file = join(folderWith({ 'evals.json': evals }), 'evals.json')
  const parseDiagnostics = new Diagnostics()
  const read = await readEvals(file, { files: new Files(nodeHost(), parseDiagnostics), diagnostics: parseDiagnostics })
  return evalsToYaml(read?.evals ?? expect.unreachable(JSON.stringify(parseDiagnostics.sorted())), evaluators)
}

/** The contents of the evals files of a transpiled suite. */
export function evalsIn({ files }: TranspileResult): string[] {
  return files.flatMap(({ file, content }) => (file.endsWith('trigger-evals.json') ? [] : [content]))
}
