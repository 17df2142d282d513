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
  /** Undefined where there is an error. */
  readonly suite: Suite | undefined
  /** The codes of its errors, and of its warnings. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads a suite that is written as YAML, or given as a value. */
export async function load(suite: object | string, files: Files = {}, file = 'EVAL.yaml'): Promise<LoadedFile> {
  const folder = folderWith({ [file]: typeof suite === 'string' ? suite : JSON.stringify(suite), ...files })
  const { suites, diagnostics } = await loadFiles([join(folder, file)], { host: nodeHost(folder), evaluators })
  const codes = (wanted: string) =>
    diagnostics.filter(({ severity }) => severity === wanted).map(({ code }) => code as string)
  return { folder, suite: suites[0], errors: codes('error'), warnings: codes('warning'), diagnostics }
}

/** The suite without any diagnostic. */
export async function valid(suite: object | string, files: Files = {}): Promise<Suite> {
  const { suite: loaded, diagnostics } = await load(suite, files)
  expect(diagnostics).toEqual([])
  return loaded ?? expect.unreachable()
}

/** A test that needs no more than its answer. */
export const TEST = { id: 'one', criteria: 'Says ok', input: 'Hi', assert: [{ type: 'contains', value: 'ok' }] }

/** A suite with this one test, or with some of its fields changed; undefined takes one away. */
export function suiteOf(fields: object = {}): object {
  return { name: 'suite', tests: [{ ...TEST, ...fields }] }
}

/** The one test of a suite, without any diagnostic. */
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

/** Runs a suite, and reads what was recorded, in the order of the plan. */
export async function evaluated(
  suite: object | string,
  { targets = OK, files = {}, args = [] }: Around = {},
): Promise<EvaluatedSuite> {
  const folder = folderWith({
    'EVAL.yaml': typeof suite === 'string' ? suite : JSON.stringify(suite),
    '.assay/targets.yaml': JSON.stringify({ targets }),
    ...files,
  })
  const ended = await assay(['eval', ...args], { cwd: folder })
  const isRecorded = existsSync(join(folder, '.assay/runs/latest'))
  return { ...ended, folder, results: isRecorded ? resultsIn(folder).sort((a, b) => a.index - b.index) : [] }
}

/** A target that answers with the prompt that it got, as JSON. */
export const ECHO = [{ name: 'default', provider: './echo.mjs' }]
export const ECHO_FILES = { 'echo.mjs': providerModule('return { text: JSON.stringify(prompt) }') }

/** What a target is asked by each test of a suite. */
export async function promptsOf(suite: object | string, files: Files = {}): Promise<Prompt[]> {
  const { results } = await evaluated(suite, { targets: ECHO, files: { ...ECHO_FILES, ...files } })
  return results.map(({ answer }) => JSON.parse(answer ?? 'null'))
}

/** A judge in Python that gives full marks and keeps what it read beside itself. */
export const PYTHON_JUDGE = `import json, pathlib, sys
read = json.load(sys.stdin)
pathlib.Path(__file__).with_suffix('.json').write_text(json.dumps(read))
print(json.dumps({'score': 1, 'hits': ['looked']}))
`
