import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { command } from '../../support/in-process.ts'
import { bytesOf, logIn, logNames } from '../../support/logs/written-logs.ts'
import { folderWith, PROGRAM } from '../../support/program.ts'
import { endLeftovers, linesOf, marked, runFolder, suiteFolder } from '../../support/suite-run.ts'

afterEach(endLeftovers)

/** Three tests with one input: one log for all of their trials. */
function suite(files: Record<string, string> = {}): string {
  const test = (id: string) => ({
    id,
    criteria: 'Greets',
    input: 'Say hello',
    assert: [{ type: 'contains', value: 'Hello' }],
  })
  return suiteFolder(
    { tests: [test('a'), test('b'), test('c')] },
    [{ name: 'default', provider: 'mock', response: 'Hello!' }],
    { '.git/HEAD': '', ...files },
  )
}

/** Leaves only the first results in the records, as a killed run does. */
function forgetResults(folder: string, kept: number): void {
  for (const name of ['results.jsonl', 'answers.jsonl']) {
    const path = join(runFolder(folder), name)
    writeFileSync(
      path,
      linesOf(path)
        .slice(0, kept)
        .map(line => `${line}\n`)
        .join(''),
    )
  }
}

const runsOf = (folder: string, logs?: string) => logIn(folder, 'say_hello', logs).runs

describe('log import', () => {
  it('adds nothing for a run that is logged already', async () => {
    const cwd = suite()
    await command(['eval', '--log', '--trials', '4'], { cwd })
    const before = bytesOf(cwd)
    expect(await command(['log', 'import', 'latest'], { cwd })).toEqual({
      code: 0,
      stdout: 'nothing to log: 12 attempts already in .co/evals\n',
      stderr: '',
    })
    expect(bytesOf(cwd)).toEqual(before)
    await command(['eval', '--trials', '1'], { cwd })
    expect((await command(['log', 'import', 'latest'], { cwd })).stdout).toBe(
      'logged 3 attempts in 1 log in .co/evals\n',
    )
    expect(runsOf(cwd)).toBe(15)
  })

  it('logs a run again whose log was deleted', async () => {
    const cwd = suite()
    await command(['eval', '--log'], { cwd })
    rmSync(join(cwd, '.co'), { recursive: true })
    expect((await command(['log', 'import', 'latest'], { cwd })).stdout).toBe(
      'logged 3 attempts in 1 log in .co/evals\n',
    )
    expect(runsOf(cwd)).toBe(3)
  })
})

describe('eval --resume', () => {
  it('completes the log of a killed run, also from another folder, and adds nothing twice', async () => {
    const cwd = suite({ 'sub/x': '' })
    await command(['eval', '--log', '--trials', '2'], { cwd })
    // As if the run had been killed after four attempts, of which two were logged.
    forgetResults(cwd, 4)
    rmSync(join(cwd, '.co'), { recursive: true })
    await command(['log', 'import', 'latest'], { cwd })
    const first = logIn(cwd, 'say_hello').turns[0]
    expect(first?.run).toBe(4)
    const resumed = await command(['eval', '--resume'], { cwd: join(cwd, 'sub') })
    expect(resumed.stderr).toContain('2 attempts logged in ../.co/evals\n')
    expect([runsOf(cwd), existsSync(join(cwd, 'sub/.co'))]).toEqual([6, false])
    const before = bytesOf(cwd)
    expect((await command(['eval', '--resume'], { cwd })).stderr).toContain('0 attempts logged in .co/evals\n')
    expect(bytesOf(cwd)).toEqual(before)
  })

  it('logs what was recorded and never logged', async () => {
    const cwd = suite()
    await command(['eval'], { cwd })
    forgetResults(cwd, 2)
    expect((await command(['eval', '--resume', '--log'], { cwd })).stderr).toContain('3 attempts logged in .co/evals\n')
    expect(runsOf(cwd)).toBe(3)
  })

  it('logs where the run was logged, unless it is told otherwise', async () => {
    const cwd = suite()
    await command(['eval', '--log', '--log-dir', 'mine'], { cwd })
    forgetResults(cwd, 1)
    await command(['eval', '--resume', '--no-log'], { cwd })
    expect(runsOf(cwd, 'mine')).toBe(3)
    forgetResults(cwd, 1)
    await command(['eval', '--resume', '--log-dir', 'yours', '--log'], { cwd })
    expect([runsOf(cwd, 'mine'), runsOf(cwd, 'yours')]).toEqual([3, 3])
  })

  it('does not write where a record says outside of the repository', async () => {
    const cwd = suite()
    const elsewhere = folderWith()
    await command(['eval', '--log', '--log-dir', elsewhere], { cwd })
    rmSync(join(elsewhere, 'say_hello.yaml'))
    forgetResults(cwd, 1)
    const { stderr } = await command(['eval', '--resume'], { cwd })
    expect(stderr).toContain(`Not logged: ${elsewhere} is outside of this repository. Name it with --log-dir.\n`)
    expect([existsSync(join(elsewhere, 'say_hello.yaml')), existsSync(join(cwd, '.co'))]).toEqual([false, false])
  })
})

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends a run that waits for its log; the rest is logged later',
    async name => {
      const cwd = suite()
      mkdirSync(join(cwd, '.co/evals'), { recursive: true })
      const lock = join(cwd, '.co/evals/.say_hello.lock')
      writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), nonce: 0.5 }))
      const child = spawn(process.execPath, [PROGRAM, 'eval', '--log', '--trials', '50'], {
        cwd,
        env: { ...process.env, ...marked(cwd) },
      })
      let said = ''
      child.stderr.on('data', data => {
        said += data
      })
      while (!said.includes('recorded in')) await sleep(20)
      const signalled = performance.now()
      child.kill(name)
      const [code] = await new Promise<[number]>(resolve => child.on('exit', code => resolve([code ?? -1])))
      expect(performance.now() - signalled).toBeLessThan(15_000)
      expect([code, logNames(cwd)]).toEqual([name === 'SIGINT' ? 130 : 143, []])
      expect(said).toMatch(
        /0 attempts logged in \.co\/evals\nInterrupted: 150 attempts not logged\. `assay log import \S+` logs the rest\.\n$/,
      )
      expect(readFileSync(lock, 'utf8')).toContain(String(process.pid))
      rmSync(lock)
      expect((await command(['log', 'import', 'latest'], { cwd })).stdout).toMatch(/^logged 150 attempts in 1 log /)
    },
  )
})

describe('commands that read logs', () => {
  it.each([['list'], ['show', 'say_hello'], ['messages', 'say_hello'], ['diff', 'say_hello'], ['to-eval']])(
    'log %s looks upward for .co/evals',
    async (...args) => {
      const cwd = suite({ 'a/b/x': '' })
      await command(['eval', '--log', '--quiet'], { cwd })
      const here = await command(['log', ...args], { cwd })
      const below = await command(['log', ...args], { cwd: join(cwd, 'a/b') })
      expect([here.code, below.code]).toEqual([0, 0])
      expect(below.stdout.replaceAll('../../', '')).toBe(here.stdout)
    },
  )

  it('log expect and log eval work on the log that they find above', async () => {
    const cwd = suite({ 'a/x': '' })
    await command(['eval', '--log', '--quiet'], { cwd })
    const below = join(cwd, 'a')
    expect((await command(['log', 'expect', 'say_hello'], { cwd: below })).code).toBe(0)
    expect((await command(['log', 'eval', '--quiet'], { cwd: below })).stdout).toMatch(/^say_hello {2}run 4 {2}pass\n/)
    expect([existsSync(join(below, '.co')), logIn(cwd, 'say_hello').turns[0]?.expected]).toEqual([false, 'Hello!'])
  })

  it('stop at the repository root, and take the nearest', async () => {
    const cwd = suite({ 'in/.git/HEAD': '', 'in/deep/x': '', 'near/.co/evals/hi.yaml': 'turns:\n- input: hi\n' })
    await command(['eval', '--log', '--quiet'], { cwd })
    expect(await command(['log', 'list'], { cwd: join(cwd, 'in/deep') })).toMatchObject({ code: 5, stdout: '' })
    const near = await command(['log', 'list', '--json'], { cwd: join(cwd, 'near') })
    expect(JSON.parse(near.stdout)).toMatchObject([{ name: 'hi' }])
  })

  it('leave log run writing into the current folder', async () => {
    const cwd = suite({ 'a/x': '' })
    await command(['eval', '--log', '--quiet'], { cwd })
    await command(['log', 'run', 'Say hello'], { cwd: join(cwd, 'a') })
    expect([runsOf(cwd), runsOf(join(cwd, 'a'))]).toEqual([3, 1])
  })
})
