import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { EvaluatorResult } from '../../../src/model/evaluator-result.ts'
import type { Result } from '../program.ts'
import { evaluate, type Recorded, resultsIn, suiteFolder } from '../suite-run.ts'

export const OK = [{ name: 'default', provider: 'mock', response: 'ok' }]
export const FULL_MARK = '{"score": 1}\n'

export interface JudgeSuite {
  /** A string is a path, as in the suite itself. */
  readonly tests: readonly (object | string)[]
  /** Keys of the suite besides its tests. */
  readonly suite?: object
  readonly targets?: readonly object[]
  readonly files?: Record<string, string | Uint8Array>
  /** Paths of files to make executable. */
  readonly programs?: readonly string[]
}

export interface JudgeRun extends Result {
  readonly folder: string
  readonly results: readonly Recorded[]
  result(test: string): Recorded
  /** The result of a check by name, by default in the first test. */
  check(name: string, test?: string): EvaluatorResult
}

/** A folder with a suite; tests have defaults for id, criteria and input. */
export function judgeFolder({ tests, suite = {}, targets = OK, files = {}, programs = [] }: JudgeSuite): string {
  const full = tests.map(test =>
    typeof test === 'string' ? test : { id: 'case', criteria: 'Says ok', input: 'Hi', ...test },
  )
  const folder = suiteFolder({ ...suite, tests: full as object[] }, targets, files)
  for (const path of programs) chmodSync(join(folder, path), 0o755)
  return folder
}

/** Runs the suite of a folder and reads its records. */
export async function runJudges(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<JudgeRun> {
  const ended = await evaluate(folder, args, env)
  // If the files of the test are invalid, stderr is more useful than a missing record.
  if (ended.code === 2) throw new Error(ended.stderr)
  const results = resultsIn(folder).sort((a, b) => a.index - b.index)
  const result = (test: string) => findBy(results, ({ test_id }) => test_id === test, test)
  const check = (name: string, test = results[0]?.test_id ?? '') =>
    findBy(result(test).evaluator_results, each => each.name === name, name)
  return { ...ended, folder, results, result, check }
}

/** Runs one test with these checks on the answer `ok`. */
export function runChecks(
  checks: readonly object[],
  { test = {}, env = {}, ...more }: Partial<JudgeSuite> & { test?: object; env?: NodeJS.ProcessEnv } = {},
): Promise<JudgeRun> {
  return runJudges(judgeFolder({ tests: [{ ...test, assert: checks }], ...more }), [], env)
}

function findBy<T>(list: readonly T[], isWanted: (item: T) => boolean, name: string): T {
  const item = list.find(isWanted)
  if (!item) throw new Error(`${name} not found`)
  return item
}

/** A folder for PATH with only these programs. */
export function pathWith(folder: string, names: readonly string[]): string {
  const path = join(folder, 'bin')
  mkdirSync(path)
  for (const name of names) symlinkSync(programPath(name), join(path, name))
  return path
}

/** The path of a program, behind wrappers that search PATH themselves. */
function programPath(name: string): string {
  if (name === 'node') return process.execPath
  if (name === 'python3') return output('python3', ['-c', 'import sys; print(sys.executable)'])
  return output('sh', ['-c', `command -v ${name}`])
}

function output(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' }).trim()
}
