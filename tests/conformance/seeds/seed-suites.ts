import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import type { Suite } from '../../../src/model/suite.ts'
import type { Test } from '../../../src/model/test.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'
import { type Recorded, resultsIn } from '../../support/suite-run.ts'

type Files = Record<string, string | Uint8Array>

export interface LoadedFile {
  readonly folder: string
  /** Undefined if there are errors. */
  readonly suite: Suite | undefined
  /** The codes of errors and warnings. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads a suite from YAML or from a value. */
export async function load(suite: object | string, files: Files = {}, file = 'EVAL.yaml'): Promise<LoadedFile> {
  const folder = folderWith({ [file]: typeof suite === 'string' ? suite : JSON.stringify(suite), ...files })
  const { suites, diagnostics } = await loadFiles([join(folder, file)], { host: nodeHost(folder), evaluators })
  const codes = (wanted: string) =>
    diagnostics.filter(({ severity }) => severity === wanted).map(({ code }) => code as string)
  return { folder, suite: suites[0], errors: codes('error'), warnings: codes('warning'), diagnostics }
}

/** Loads a suite and expects no diagnostics. */
export async function valid(suite: object | string, files: Files = {}): Promise<Suite> {
  const { suite: loaded, diagnostics } = await load(suite, files)
  expect(diagnostics).toEqual([])
  return loaded ?? expect.unreachable()
}

/** A minimal valid test. */
export const TEST = { id: 'one', criteria: 'Says ok', input: 'Hi', assert: [{ type: 'contains', value: 'ok' }] }

/** A suite with one test and these fields; undefined removes a field. */
export function suiteOf(fields: object = {}): object {
  return { name: 'suite', tests: [{ ...TEST, ...fields }] }
}

/** Loads the only test of a suite and expects no diagnostics. */
export async function validTest(fields: object = {}, files: Files = {}): Promise<Test> {
  const [test] = (await valid(suiteOf(fields), files)).tests
  return test ?? expect.unreachable()
}

/** The errors of a suite with one test. */
export async function errorsOf(fields: object, files: Files = {}): Promise<readonly string[]> {
  return (await load(suiteOf(fields), files)).errors
}

export interface EvaluatedSuite extends Result {
  readonly folder: string
  readonly results: readonly Recorded[]
}

interface Around {
  readonly targets?: readonly object[]
  readonly files?: Files
  readonly args?: readonly string[]
}

const OK = [{ name: 'default', provider: 'mock', response: 'ok' }]

/** Runs a suite and reads its results in the order of the plan. */
export async function evaluated(
  suite: object | string,
  { targets = OK, files = {}, args = [] }: Around = {},
): Promise<EvaluatedSuite> {
  const folder = folderWith({
    'EVAL.yaml': typeof suite === 'string' ? suite : JSON.stringify(suite),
    '.assay/targets.yaml': JSON.stringify({ targets }),
    ...files,
  })
  const result = await assay(['eval', ...args], { cwd: folder })
  const isRecorded = existsSync(join(folder, '.assay/runs/latest'))
  return { ...result, folder, results: isRecorded ? resultsIn(folder).sort((a, b) => a.index - b.index) : [] }
}

/** A target that answers with its prompt as JSON. */
export const ECHO = [{ name: 'default', provider: './echo.mjs' }]
export const ECHO_FILES = { 'echo.mjs': providerModule('return { text: JSON.stringify(prompt) }') }

/** The prompt of each test of a suite. */
export async function promptsOf(suite: object | string, files: Files = {}): Promise<Prompt[]> {
  const { results } = await evaluated(suite, { targets: ECHO, files: { ...ECHO_FILES, ...files } })
  return results.map(({ answer }) => JSON.parse(answer ?? 'null'))
}

/** A Python judge that gives a score of 1 and saves its input beside itself. */
export const PYTHON_JUDGE = `import json, pathlib, sys
read = json.load(sys.stdin)
pathlib.Path(__file__).with_suffix('.json').write_text(json.dumps(read))
print(json.dumps({'score': 1, 'hits': ['looked']}))
`
