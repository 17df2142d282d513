import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Result as Attempted } from '../../src/model/result.ts'
import type { RunInfo } from '../../src/model/run-info.ts'
import { folderWith, PROGRAM, type Result } from './program.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A targets file with one mock target: the first matching pattern answers. */
export function mockTargets(...responses: [pattern: string, response: string, more?: object][]): string {
  const entries = responses.map(([pattern, response, more]) => ({ pattern, response, ...more }))
  return JSON.stringify({ targets: [{ name: 'default', provider: 'mock', responses: entries }] })
}

/** Answers `yes` to `yes`, `no` to `no`, and nothing else. */
export const YES_AND_NO = mockTargets(['^yes', 'yes'], ['^no$', 'no'])

/** One test of each verdict: `good` passes, `middling` is borderline, `bad` fails, `broken` has no answer. */
export const EACH_VERDICT = `name: each
tests:
  - id: good
    criteria: Says yes
    input: "yes"
    assert:
      - {type: equals, value: "yes"}
  - id: middling
    criteria: Says both
    input: "yes"
    assert:
      - {type: contains, value: "yes", weight: 3}
      - {type: contains, value: maybe, weight: 2}
  - id: bad
    criteria: Says yes
    input: "no"
    assert:
      - {type: contains, value: "yes", required: true}
      - {name: denial, type: equals, value: "no"}
  - id: broken
    criteria: Says something
    input: Well?
    assert:
      - {type: contains, value: "yes"}
`

/** A folder with a suite and the targets that answer it. */
export function suiteFolder(suite: string | object, targets = YES_AND_NO, files: Record<string, string> = {}): string {
  const text = typeof suite === 'string' ? suite : JSON.stringify(suite, null, 2)
  return folderWith({ 'EVAL.yaml': text, '.assay/targets.yaml': targets, ...files })
}

/** A test that expects a word in the answer. */
export function wordTest(id: string, input: string, value: string, more: object = {}): object {
  return { id, criteria: `Says ${value}`, input, assert: [{ type: 'contains', value }], ...more }
}

/** The source of a custom provider: `answer` is a function body with `prompt`. */
export function providerModule(answer: string, head = ''): string {
  const zod = pathToFileURL(join(ROOT, 'node_modules/zod/index.js')).href
  return `import { z } from '${zod}'
import { appendFileSync } from 'node:fs'
${head}
export default {
  type: 'own',
  config: z.looseObject({}),
  async answer(config, prompt, { host, signal }) {
    ${answer}
  },
}
`
}

export const OWN_TARGET = JSON.stringify({ targets: [{ name: 'default', provider: './own.mjs' }] })

export function runIds(cwd: string, runs = '.assay/runs'): string[] {
  return readdirSync(join(cwd, runs))
    .filter(name => name !== 'latest')
    .sort()
}

export function latestId(cwd: string, runs = '.assay/runs'): string {
  return readFileSync(join(cwd, runs, 'latest'), 'utf8').trim()
}

/** The records of a run in the order of the file. */
export function recordsOf(cwd: string, id = latestId(cwd)): Attempted[] {
  return jsonLines(readFileSync(join(cwd, '.assay/runs', id, 'results.jsonl'), 'utf8'))
}

export function runInfoOf(cwd: string, id = latestId(cwd)): RunInfo {
  return JSON.parse(readFileSync(join(cwd, '.assay/runs', id, 'run.json'), 'utf8'))
}

export function jsonLines(text: string): Attempted[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** The verdicts by test id. */
export function verdictsOf(results: readonly Pick<Attempted, 'test_id' | 'verdict'>[]): Record<string, string> {
  return Object.fromEntries(results.map(({ test_id, verdict }) => [test_id, verdict]))
}

/** Runs the program; a hanging one is killed after 40 seconds, and has no exit code. */
export function assayWithTimeout(args: readonly string[], cwd: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, timeout: 200_000, killSignal: 'SIGKILL' })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', chunk => {
      output.stdout += chunk
    })
    child.stderr.on('data', chunk => {
      output.stderr += chunk
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, ...output }))
  })
}
