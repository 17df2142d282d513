import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../../../support/program.ts'
import { linesOf, markerEnv, runFolder, suiteFolder } from '../../../support/suite-run.ts'

/** How many questions are under way at once. */
export const WORKERS = 4

/** Notes each question before it thinks; says no where a file says so, and waits while another is there. */
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

/** A test that passes when the provider says yes. */
export function test(id: string, more: object = {}) {
  return { id, criteria: 'Agrees', input: `Is ${id} é right?`, assert: [{ type: 'equals', value: 'yes' }], ...more }
}

/** Tests t0, t1, … */
export function tests(count: number): object[] {
  return Array.from({ length: count }, (_, index) => test(`t${index}`))
}

/** The folder of a suite on such a provider, and on a program that fails while a file says so. */
export function suite(all: readonly object[]): string {
  const target = { name: 'default', provider: './provider.mjs', workers: WORKERS }
  // With a path, so that the file is no part of the command, and of the identity of the target.
  const command = 'echo asked >> calls.txt; [ ! -e "$PWD/broken" ] && echo yes'
  const broken = { name: 'broken', provider: 'cli', command }
  return suiteFolder({ tests: all }, [target, broken], { 'provider.mjs': PROVIDER })
}

/** The suite of a folder with other tests. */
export function rewrite(folder: string, all: readonly object[]): void {
  writeFileSync(join(folder, 'EVAL.yaml'), JSON.stringify({ name: 'agents', tests: all }))
}

/** `assay eval` that is under way. */
export function start(folder: string, args: readonly string[]): ChildProcess {
  const env = { ...process.env, ...markerEnv(folder) }
  return spawn(process.execPath, [PROGRAM, 'eval', ...args], { cwd: folder, env, stdio: 'ignore' })
}

export function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise(resolve => child.on('close', (code, signal) => resolve({ code, signal })))
}

/** The attempts that were asked for, in order. */
export function callsIn(folder: string): string[] {
  return linesOf(join(folder, 'calls.txt'))
}

export function answersFile(folder: string): string {
  return join(runFolder(folder), 'answers.jsonl')
}

export function resultsFile(folder: string): string {
  return join(runFolder(folder), 'results.jsonl')
}
