import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { bytesOf, logIn } from '../../support/logs/written-logs.ts'
import { folderWith } from '../../support/program.ts'
import { endLeftovers, linesOf, runFolder } from '../../support/suite-run.ts'
import { oneLogSuite } from './one-log-suite.ts'

afterEach(endLeftovers)

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
    const cwd = oneLogSuite()
    await assay(['eval', '--log', '--trials', '4'], { cwd })
    const before = bytesOf(cwd)
    expect(await assay(['log', 'import', 'latest'], { cwd })).toEqual({
      code: 0,
      stdout: 'nothing to log: 12 attempts already in .co/evals\n',
      stderr: '',
    })
    expect(bytesOf(cwd)).toEqual(before)
    await assay(['eval', '--trials', '1'], { cwd })
    expect((await assay(['log', 'import', 'latest'], { cwd })).stdout).toBe('logged 3 attempts in 1 log in .co/evals\n')
    expect(runsOf(cwd)).toBe(15)
  })

  it('logs a run again after its log was deleted', async () => {
    const cwd = oneLogSuite()
    await assay(['eval', '--log'], { cwd })
    rmSync(join(cwd, '.co'), { recursive: true })
    expect((await assay(['log', 'import', 'latest'], { cwd })).stdout).toBe('logged 3 attempts in 1 log in .co/evals\n')
    expect(runsOf(cwd)).toBe(3)
  })
})

describe('eval --resume', () => {
  it('completes the log of a killed run, also from another folder, and adds nothing twice', async () => {
    const cwd = oneLogSuite({ 'sub/x': '' })
    await assay(['eval', '--log', '--trials', '2'], { cwd })
    // As if the run had been killed after four attempts, of which two were logged.
    forgetResults(cwd, 4)
    rmSync(join(cwd, '.co'), { recursive: true })
    await assay(['log', 'import', 'latest'], { cwd })
    const first = logIn(cwd, 'say_hello').turns[0]
    expect(first?.run).toBe(4)
    const resumed = await assay(['eval', '--resume'], { cwd: join(cwd, 'sub') })
    expect(resumed.stderr).toContain('2 attempts logged in ../.co/evals\n')
    expect([runsOf(cwd), existsSync(join(cwd, 'sub/.co'))]).toEqual([6, false])
    const before = bytesOf(cwd)
    expect((await assay(['eval', '--resume'], { cwd })).stderr).toContain('0 attempts logged in .co/evals\n')
    expect(bytesOf(cwd)).toEqual(before)
  })

  it('logs attempts that were recorded but not logged', async () => {
    const cwd = oneLogSuite()
    await assay(['eval'], { cwd })
    forgetResults(cwd, 2)
    expect((await assay(['eval', '--resume', '--log'], { cwd })).stderr).toContain('3 attempts logged in .co/evals\n')
    expect(runsOf(cwd)).toBe(3)
  })

  it('logs to the folder of the first run unless an option overrides it', async () => {
    const cwd = oneLogSuite()
    await assay(['eval', '--log', '--log-dir', 'mine'], { cwd })
    forgetResults(cwd, 1)
    await assay(['eval', '--resume', '--no-log'], { cwd })
    expect(runsOf(cwd, 'mine')).toBe(3)
    forgetResults(cwd, 1)
    await assay(['eval', '--resume', '--log-dir', 'yours', '--log'], { cwd })
    expect([runsOf(cwd, 'mine'), runsOf(cwd, 'yours')]).toEqual([3, 3])
  })

  it('does not write to a recorded folder outside the repository', async () => {
    const cwd = oneLogSuite()
    const elsewhere = folderWith()
    await assay(['eval', '--log', '--log-dir', elsewhere], { cwd })
    rmSync(join(elsewhere, 'say_hello.yaml'))
    forgetResults(cwd, 1)
    const { stderr } = await assay(['eval', '--resume'], { cwd })
    expect(stderr).toContain(`Not logged: ${elsewhere} is outside of this repository. Name it with --log-dir.\n`)
    expect([existsSync(join(elsewhere, 'say_hello.yaml')), existsSync(join(cwd, '.co'))]).toEqual([false, false])
  })
})
describe('commands that read logs', () => {
  it.each([['list'], ['show', 'say_hello'], ['messages', 'say_hello'], ['diff', 'say_hello'], ['to-eval']])(
    'log %s looks upward for .co/evals',
    async (...args) => {
      const cwd = oneLogSuite({ 'a/b/x': '' })
      await assay(['eval', '--log', '--quiet'], { cwd })
      const here = await assay(['log', ...args], { cwd })
      const below = await assay(['log', ...args], { cwd: join(cwd, 'a/b') })
      expect([here.code, below.code]).toEqual([0, 0])
      expect(below.stdout.replaceAll('../../', '')).toBe(here.stdout)
    },
  )

  it('log expect and log eval find the log in a parent folder', async () => {
    const cwd = oneLogSuite({ 'a/x': '' })
    await assay(['eval', '--log', '--quiet'], { cwd })
    const below = join(cwd, 'a')
    expect((await assay(['log', 'expect', 'say_hello'], { cwd: below })).code).toBe(0)
    expect((await assay(['log', 'eval', '--quiet'], { cwd: below })).stdout).toMatch(/^say_hello {2}run 4 {2}pass\n/)
    expect([existsSync(join(below, '.co')), logIn(cwd, 'say_hello').turns[0]?.expected]).toEqual([false, 'Hello!'])
  })

  it('stop at the repository root, and take the nearest', async () => {
    const cwd = oneLogSuite({ 'in/.git/HEAD': '', 'in/deep/x': '', 'near/.co/evals/hi.yaml': 'turns:\n- input: hi\n' })
    await assay(['eval', '--log', '--quiet'], { cwd })
    expect(await assay(['log', 'list'], { cwd: join(cwd, 'in/deep') })).toMatchObject({ code: 5, stdout: '' })
    const near = await assay(['log', 'list', '--json'], { cwd: join(cwd, 'near') })
    expect(JSON.parse(near.stdout)).toMatchObject([{ name: 'hi' }])
  })

  it('do not change where log run writes', async () => {
    const cwd = oneLogSuite({ 'a/x': '' })
    await assay(['eval', '--log', '--quiet'], { cwd })
    await assay(['log', 'run', 'Say hello'], { cwd: join(cwd, 'a') })
    expect([runsOf(cwd), runsOf(join(cwd, 'a'))]).toEqual([3, 1])
  })
})
