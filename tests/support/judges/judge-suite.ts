import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { EvaluatorResult } from '../../../src/model/result.ts'
import type { Result } from '../program.ts'
import { evaluate, type Recorded, resultsIn, suiteFolder } from '../suite-run.ts'

export const OK = [{ name: 'default', provider: 'mock', response: 'ok' }]
export const FULL_MARK = '{"score": 1}\n'

export interface JudgedSuite {
  /** A string is a path, as in the suite itself. */
  readonly tests: readonly (object | string)[]
  /** Keys of the suite besides its tests. */
  readonly suite?: object
  readonly targets?: readonly object[]
  readonly files?: Record<string, string | Uint8Array>
  /** Paths of those that are made executable. */
  readonly programs?: readonly string[]
}

export interface Judged extends Result {
  readonly folder: string
  readonly results: readonly Recorded[]
  result(test: string): Recorded
  /** What the check of a name found in a test, the first one without a name. */
  check(name: string, test?: string): EvaluatorResult
}

/** A folder with a suite whose checks are programs; tests say only what matters in them. */
export function judgeFolder({ tests, suite = {}, targets = OK, files = {}, programs = [] }: JudgedSuite): string {
  const full = tests.map(test =>
    typeof test === 'string' ? test : { id: 'case', criteria: 'Says ok', input: 'Hi', ...test },
  )
  const folder = suiteFolder({ ...suite, tests: full as object[] }, targets, files)
  for (const path of programs) chmodSync(join(folder, path), 0o755)
  return folder
}

/** Runs the suite of a folder, and reads what was recorded. */
export async function judgeIn(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Judged> {
  const ended = await evaluate(folder, args, env)
  // A mistake in the files of a test of ours, or a bug: what it says is more useful than the lack of a record.
  if (ended.code === 2) throw new Error(ended.stderr)
  const results = resultsIn(folder).sort((a, b) => a.index - b.index)
  const result = (test: string) => found(results, ({ test_id }) => test_id === test, test)
  const check = (name: string, test = results[0]?.test_id ?? '') =>
    found(result(test).evaluator_results, each => each.name === name, name)
  return { ...ended, folder, results, result, check }
}

/** One test with these checks, on the answer `ok`. */
export function judged(
  checks: readonly object[],
  { test = {}, env = {}, ...more }: Partial<JudgedSuite> & { test?: object; env?: NodeJS.ProcessEnv } = {},
): Promise<Judged> {
  return judgeIn(judgeFolder({ tests: [{ ...test, assert: checks }], ...more }), [], env)
}

function found<T>(list: readonly T[], isWanted: (item: T) => boolean, name: string): T {
  const item = list.find(isWanted)
  if (!item) throw new Error(`there is no ${name}`)
  return item
}

/** A folder for PATH with nothing but these programs. */
export function pathWith(folder: string, names: readonly string[]): string {
  const path = join(folder, 'bin')
  mkdirSync(path)
  for (const name of names) symlinkSync(whereIs(name), join(path, name))
  return path
}

/** Behind wrappers that look for the program on PATH themselves. */
function whereIs(name: string): string {
  if (name === 'node') return process.execPath
  if (name === 'python3') return output('python3', ['-c', 'import sys; print(sys.executable)'])
  return output('sh', ['-c', `command -v ${name}`])
}

function output(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' }).trim()
}
