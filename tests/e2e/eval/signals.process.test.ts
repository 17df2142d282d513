import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assay, PROGRAM } from '../../support/program.ts'
import {
  endLeftovers,
  evaluate,
  expectNoProcesses,
  linesOf,
  markerEnv,
  processesOf,
  resultsIn,
  runFolder,
  suiteFolder,
  temporaryFiles,
} from '../../support/suite-run.ts'

afterEach(endLeftovers)

const QUICK = ['quick-1', 'quick-2']
const SLOW = ['slow-1', 'slow-2', 'slow-3', 'slow-4']
/** Tests that never start while the slow ones hang. */
const LATER = ['turn-1', 'turn-2']
const ALL = [...QUICK, ...SLOW, ...LATER]

/** Logs each start; a slow test hangs with two children unless `hurry` exists. */
const AGENT = `echo {TEST_ID} >> started.txt
case {TEST_ID} in slow-*)
  if [ ! -e "$PWD/hurry" ]; then
    sh child.sh & sh child.sh &
    echo {TEST_ID} >> hanging.txt
    sleep 300
  fi
esac
cat {PROMPT_FILE}`

const ON_TERM = {
  obeys: "trap 'echo told >> told.txt; exit 1' TERM\n",
  ignores: "trap 'echo told >> told.txt' TERM\n",
}

/** A suite of two quick tests, four that hang in agents with children, and two more after them. */
function slowSuite(onTerm: keyof typeof ON_TERM): string {
  const tests = ALL.map(id => ({
    id,
    criteria: 'Says its name',
    input: `I am ${id}`,
    assert: [{ type: 'equals', value: `I am ${id}` }],
  }))
  // A shell handles signals only after its foreground command, so it waits for a background one.
  const command = `${ON_TERM[onTerm]}${AGENT.replace('sleep 300', 'while :; do sleep 300 & wait $!; done')}`
  const target = { name: 'default', provider: 'cli', command, workers: 4 }
  const child = "trap '' TERM\nsleep 300 &\nsleep 300\n"
  return suiteFolder({ tests }, [target], { 'child.sh': child })
}

/** A provider that ignores the abort signal: it writes files beside itself 3 and 12 seconds later. */
const IGNORES_ABORT = `import { appendFileSync, existsSync } from 'node:fs'
const beside = name => new URL(name, import.meta.url)
export default {
  config: { safeParse: data => ({ success: true, data }) },
  answer: (_, __, { signal }) =>
    new Promise(resolve => {
      appendFileSync(beside('asked.txt'), 'asked\\n')
      if (existsSync(beside('hurry'))) return resolve({ text: 'Hi' })
      signal.addEventListener('abort', () => {
        setTimeout(() => appendFileSync(beside('late.txt'), 'late\\n'), 3000)
        setTimeout(() => appendFileSync(beside('finished.txt'), 'finished\\n'), 12_000)
      })
    }),
}
`

/** A run that waits for this provider. */
async function startUnabortableRun(args: readonly string[] = []) {
  const test = { id: 'a', criteria: 'Answers', input: 'Hi', assert: [{ type: 'contains', value: 'Hi' }] }
  const target = { name: 'default', provider: './provider.mjs' }
  const folder = suiteFolder({ tests: [test] }, [target], { 'provider.mjs': IGNORES_ABORT })
  const run = startEval(folder, args)
  await expect.poll(() => linesOf(join(folder, 'asked.txt')), { timeout: 60_000 }).toHaveLength(1)
  return { folder, run }
}

/** A run whose four slow agents hang after the quick ones were recorded. */
async function startHangingRun(folder: string) {
  const run = startEval(folder)
  await expect.poll(() => linesOf(join(folder, 'hanging.txt')).sort(), { timeout: 60_000 }).toEqual(SLOW)
  await expect.poll(() => recordedIn(folder), { timeout: 60_000 }).toEqual(QUICK)
  expect((await processesOf(folder)).length).toBeGreaterThan(4 * 3)
  return run
}

/** Starts `assay eval`. */
function startEval(folder: string, args: readonly string[] = []) {
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env
  const child = spawn(process.execPath, [PROGRAM, 'eval', ...args], {
    cwd: folder,
    env: { ...env, ...markerEnv(folder) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const run = { stderr: '', signal: (name: NodeJS.Signals) => child.kill(name), ended: waitForExit(child) }
  child.stderr.on('data', chunk => {
    run.stderr += chunk
  })
  return run
}

function waitForExit(child: ReturnType<typeof spawn>): Promise<{ code: number | null; signal: string | null }> {
  return new Promise(resolve => child.on('close', (code, signal) => resolve({ code, signal })))
}

function recordedIn(folder: string): string[] {
  return resultsIn(folder)
    .map(({ test_id }) => test_id)
    .sort()
}

/** Resumes the run: recorded attempts are not repeated, and all tests pass. */
async function expectResumed(folder: string, resume: string): Promise<void> {
  writeFileSync(join(folder, 'hurry'), '')
  const { code, stderr } = await evaluate(folder, [resume])
  expect(stderr).toContain('Resuming: 2 of 8 attempts recorded.')
  expect(stderr).toContain('8 passed')
  expect(code).toBe(0)
  expect(recordedIn(folder)).toEqual(ALL)
  expect(resultsIn(folder).every(({ verdict }) => verdict === 'pass')).toBe(true)
  const starts = linesOf(join(folder, 'started.txt'))
  expect(starts.sort()).toEqual([...ALL, ...SLOW].sort())
  expect(readdirSync(join(folder, '.assay/runs'))).toHaveLength(2)
}

describe('one signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s stops running agents, keeps finished attempts, and prints the resume command', async (name, code) => {
    const folder = slowSuite('obeys')
    const run = await startHangingRun(folder)
    run.signal(name)
    expect(await run.ended).toEqual({ code, signal: null })
    expect(recordedIn(folder)).toEqual(QUICK)
    expect(linesOf(join(folder, 'started.txt')).sort()).toEqual([...QUICK, ...SLOW])
    const resume = `--resume=${basename(runFolder(folder))}`
    expect(run.stderr).toContain(`assay eval ${resume}\n`)
    expect(run.stderr).toContain('6 not run')
    expect(linesOf(join(folder, 'told.txt'))).toHaveLength(4)
    expect(temporaryFiles(folder)).toEqual([])
    await expectNoProcesses(folder)
    await expectResumed(folder, resume)
  })

  it('kills agents that ignore SIGTERM', async () => {
    const folder = slowSuite('ignores')
    const run = await startHangingRun(folder)
    run.signal('SIGINT')
    expect(await run.ended).toEqual({ code: 130, signal: null })
    expect(linesOf(join(folder, 'told.txt'))).toHaveLength(4)
    expect(run.stderr).toContain('assay eval --resume=')
    expect(temporaryFiles(folder)).toEqual([])
    await expectNoProcesses(folder)
  })

  it('waits briefly, but not until the end, for a provider that ignores the abort signal', async () => {
    const { folder, run } = await startUnabortableRun()
    run.signal('SIGINT')
    expect(await run.ended).toEqual({ code: 130, signal: null })
    expect(run.stderr).toContain('assay eval --resume=')
    expect(linesOf(join(folder, 'late.txt'))).toHaveLength(1)
    expect(linesOf(join(folder, 'finished.txt'))).toHaveLength(0)
  })

  it('prints a working resume command for a custom --runs-dir', async () => {
    const { folder, run } = await startUnabortableRun(['--runs-dir', 'kept'])
    run.signal('SIGINT')
    expect(await run.ended).toEqual({ code: 130, signal: null })
    const shown = run.stderr.match(/assay eval (.*--resume.*)\n/)?.[1] ?? ''
    expect(shown).toContain('--resume=')
    writeFileSync(join(folder, 'hurry'), '')
    const { code, stderr } = await assay(['eval', ...shown.split(' ')], { cwd: folder, env: markerEnv(folder) })
    expect(stderr).toContain('1 test: 1 passed')
    expect(code).toBe(0)
    expect(readdirSync(join(folder, 'kept'))).toHaveLength(2)
  })

  it('leaves no processes after SIGQUIT', async () => {
    const folder = slowSuite('obeys')
    const run = await startHangingRun(folder)
    run.signal('SIGQUIT')
    await run.ended
    await expectNoProcesses(folder)
  })
})

describe('two signals', () => {
  it('stop everything at once, even agents that ignore SIGTERM', async () => {
    const folder = slowSuite('ignores')
    const run = await startHangingRun(folder)
    run.signal('SIGINT')
    await expect.poll(() => run.stderr, { timeout: 60_000, interval: 5 }).toContain('again to stop at once')
    run.signal('SIGINT')
    expect(await run.ended).toEqual({ code: 130, signal: null })
    await expectNoProcesses(folder)
    expect(recordedIn(folder)).toEqual(QUICK)
    await expectResumed(folder, '--resume')
  })

  it('do not wait for a provider that ignores the abort signal', async () => {
    const { folder, run } = await startUnabortableRun()
    run.signal('SIGINT')
    await expect.poll(() => run.stderr, { timeout: 60_000, interval: 5 }).toContain('again to stop at once')
    run.signal('SIGTERM')
    expect(await run.ended).toEqual({ code: 143, signal: null })
    expect(linesOf(join(folder, 'late.txt'))).toHaveLength(0)
  })
})
