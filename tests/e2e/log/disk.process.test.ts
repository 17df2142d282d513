import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterEach, describe, expect, it } from 'vitest'
import type { LogContent } from '../../support/logs/log-files.ts'
import { assay, assayUnprivileged, PROGRAM, run } from '../../support/program.ts'
import { endLeftovers, markerEnv, resultsIn, suiteFolder } from '../../support/suite-run.ts'

afterEach(endLeftovers)

/** A log with a hand-written expectation. */
function logWith(expected: string): string {
  return `turns:\n- input: Say hi\n  run: 1\n  output: hi\n  expected: ${expected}\n`
}

/** Two tests that pass; the first already has a log. */
function suite(log: string): string {
  const test = (id: string, input: string) => ({
    id,
    criteria: 'Agrees',
    input,
    assert: [{ type: 'equals', value: 'yes' }],
  })
  return suiteFolder(
    { tests: [test('a', 'Say hi'), test('b', 'Say bye')] },
    [{ name: 'default', provider: 'cli', command: 'echo yes', workers: 1 }],
    { '.co/evals/say_hi.yaml': log },
  )
}

function namesIn(folder: string): string[] {
  return readdirSync(join(folder, '.co/evals')).sort()
}

function verdicts(folder: string): string[] {
  return resultsIn(folder).map(({ test_id, verdict }) => `${test_id} ${verdict}`)
}

describe('the records of a run are complete if logging fails', () => {
  it('in a read-only folder', async () => {
    const log = logWith('Hello!')
    const folder = suite(log)
    for (const path of ['.', '.assay', 'tmp', '.co']) chmodSync(join(folder, path), 0o777)
    mkdirSync(join(folder, '.co/evals/say_hi'))
    chmodSync(join(folder, '.co/evals'), 0o555)
    const { code, stderr } = await assayUnprivileged(['eval', '--log'], {
      cwd: folder,
      env: { ...markerEnv(folder), HOME: folder },
    })
    expect(stderr).toContain('2 tests: 2 passed')
    expect(stderr).toMatch(/^Cannot log: Cannot write into .*\.co\/evals: EACCES: permission denied/m)
    expect(stderr).toContain('The records of the run are complete: `assay log import` logs them later.')
    expect(code).toBe(2)
    expect(verdicts(folder)).toEqual(['a pass', 'b pass'])
    expect(namesIn(folder)).toEqual(['say_hi', 'say_hi.yaml'])
    expect(readFileSync(join(folder, '.co/evals/say_hi.yaml'), 'utf8')).toBe(log)
  })

  it('on a full disk, and can be logged later', async () => {
    const expected = 'Hello! '.repeat(20_000).trim()
    const log = logWith(expected)
    const folder = suite(log)
    // No file may be larger than 64 kB: the records are small, the log is not.
    const script = `trap '' XFSZ; ulimit -f 64; exec "${process.execPath}" "${PROGRAM}" eval --log`
    const { code, stderr } = await run('bash', ['-c', script], { cwd: folder, env: markerEnv(folder) })
    expect(stderr).toContain('2 tests: 2 passed')
    expect(stderr).toMatch(/^Cannot log: Cannot write .*say_hi\.yaml: EFBIG: file too large/m)
    expect(code).toBe(2)
    expect(verdicts(folder)).toEqual(['a pass', 'b pass'])
    expect(readFileSync(join(folder, '.co/evals/say_hi.yaml'), 'utf8')).toBe(log)
    expect(namesIn(folder)).toEqual(['say_hi', 'say_hi.yaml'])
    const imported = await assay(['log', 'import', 'latest'], { cwd: folder })
    expect(imported).toMatchObject({ code: 0, stdout: 'logged 2 attempts in 2 logs in .co/evals\n' })
    // The run file was already written, so the log refers to it.
    const { runs, turns } = load(readFileSync(join(folder, '.co/evals/say_hi.yaml'), 'utf8')) as LogContent
    expect([runs, turns[0].run, turns[0].output, turns[0].evaluation]).toEqual([2, 2, 'yes', 'pass'])
    expect([turns[0].expected, turns[0].history]).toEqual([expected, [{ run: 1, output: 'hi', expected }]])
    expect(readdirSync(join(folder, '.co/evals/say_hi')).sort()).toEqual(['run_2.yaml'])
  })
})

it('log eval reports a log that it cannot write, and prints the answer', async () => {
  const log = logWith('yes')
  const folder = suite(log)
  for (const path of ['.', '.assay', 'tmp', '.co']) chmodSync(join(folder, path), 0o777)
  chmodSync(join(folder, '.co/evals'), 0o555)
  const env = { ...markerEnv(folder), HOME: folder }
  const { code, stdout, stderr } = await assayUnprivileged(['log', 'eval'], { cwd: folder, env })
  expect(stderr).toMatch(/^Cannot write into .*\.co\/evals: EACCES: permission denied/m)
  expect(stdout).toBe('say_hi  not written  pass\n\n1 of 1 expected answer passed\n')
  expect(code).toBe(3)
  expect(readFileSync(join(folder, '.co/evals/say_hi.yaml'), 'utf8')).toBe(log)
})
