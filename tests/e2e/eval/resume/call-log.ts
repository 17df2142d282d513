import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../../../support/program.ts'
import { linesOf, markerEnv, runFolder, suiteFolder } from '../../../support/suite-run.ts'

/** The number of concurrent calls. */
export const WORKERS = 4

/** Logs each call; answers no if `<test id>.no` exists, and waits while `wait` exists. */
const PROVIDER = `import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const beside = name => new URL(name, import.meta.url)
export default {
  config: { safeParse: data => ({ success: true, data }) },
  async answer(_, { attempt_id, test_id }) {
    appendFileSync(beside('calls.txt'), attempt_id + '\\n')
    await sleep(20)
    while (existsSync(beside('wait'))) await sleep(5)
    return { text: existsSync(beside(test_id + '.no')) ? 'no' : 'yes' }
  },
}
`

/** A test that passes if the provider answers yes. */
export function test(id: string, more: object = {}) {
  return { id, criteria: 'Agrees', input: `Is ${id} é right?`, assert: [{ type: 'equals', value: 'yes' }], ...more }
}

/** Tests t0, t1, … */
export function tests(count: number): object[] {
  return Array.from({ length: count }, (_, index) => test(`t${index}`))
}

/** A folder with a suite on this provider, and a program that fails while `broken` exists. */
export function suite(all: readonly object[]): string {
  const target = { name: 'default', provider: './provider.mjs', workers: WORKERS }
  // With `$PWD`, so that the file is not part of the identity of the target.
  const command = 'echo asked >> calls.txt; [ ! -e "$PWD/broken" ] && echo yes'
  const broken = { name: 'broken', provider: 'cli', command }
  return suiteFolder({ tests: all }, [target, broken], { 'provider.mjs': PROVIDER })
}

/** Replaces the tests of the suite. */
export function rewrite(folder: string, all: readonly object[]): void {
  writeFileSync(join(folder, 'EVAL.yaml'), JSON.stringify({ name: 'agents', tests: all }))
}

/** Starts `assay eval`. */
export function start(folder: string, args: readonly string[]): ChildProcess {
  const env = { ...process.env, ...markerEnv(folder) }
  return spawn(process.execPath, [PROGRAM, 'eval', ...args], { cwd: folder, env, stdio: 'ignore' })
}

export function waitForExit(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise(resolve => child.on('close', (code, signal) => resolve({ code, signal })))
}

/** The ids of the requested attempts, in order. */
export function callsIn(folder: string): string[] {
  return linesOf(join(folder, 'calls.txt'))
}

export function answersFile(folder: string): string {
  return join(runFolder(folder), 'answers.jsonl')
}

export function resultsFile(folder: string): string {
  return join(runFolder(folder), 'results.jsonl')
}
