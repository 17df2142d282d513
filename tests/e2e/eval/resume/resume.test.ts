import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate, linesOf, type Recorded, recordsIn, resultsIn } from '../../../support/suite-run.ts'
import { answersFile, callsIn, resultsFile, rewrite, suite, test, tests } from './call-log.ts'

/** Truncates a file as a killed process does: inside a line, even inside a character. */
function tear(path: string): void {
  appendFileSync(path, Buffer.from('{"attempt_id":"torn é').subarray(0, -1))
}

describe('--resume', () => {
  it('starts a new run and reports it if no run exists', async () => {
    const folder = suite(tests(2))
    const { code, stderr } = await evaluate(folder, ['--resume'])
    expect(stderr).toContain('No earlier run found: starting a new one.')
    expect(code).toBe(0)
    expect(resultsIn(folder)).toHaveLength(2)
  })

  it.each(['resume', 'rerun-failed'])('suggests --%s=RUN if the run is given after a space', async option => {
    const folder = suite(tests(1))
    await evaluate(folder)
    for (const run of ['latest', ...resultsIn(folder).map(({ run_id }) => run_id)]) {
      const { code, stderr } = await evaluate(folder, [`--${option}`, run])
      expect([code, stderr.endsWith(`\nhint: did you mean --${option}=${run}?\n`)]).toEqual([2, true])
    }
    const { stderr } = await evaluate(folder, [`--${option}`, 'nowhere.yaml'])
    expect(stderr).not.toContain('did you mean')
  })

  it('grades recorded answers without asking again', async () => {
    const folder = suite(tests(10))
    writeFileSync(join(folder, 't9.no'), '')
    expect((await evaluate(folder)).code).toBe(1)
    rmSync(join(folder, 't9.no'))
    const kept = linesOf(resultsFile(folder)).slice(0, 4)
    writeFileSync(resultsFile(folder), kept.map(line => `${line}\n`).join(''))
    const { code, stderr } = await evaluate(folder, ['--resume'])
    expect(stderr).toContain('Resuming: 4 of 10 attempts recorded.')
    expect(callsIn(folder)).toHaveLength(10)
    expect(linesOf(answersFile(folder))).toHaveLength(10)
    expect(linesOf(resultsFile(folder)).slice(0, 4)).toEqual(kept)
    expect(new Set(resultsIn(folder).map(({ test_id }) => test_id)).size).toBe(10)
    // The recorded answer counts, not a new one.
    expect(resultsIn(folder).filter(({ verdict }) => verdict === 'fail')).toMatchObject([{ test_id: 't9' }])
    expect(code).toBe(1)
  })

  it('ignores and removes a truncated last line', async () => {
    const folder = suite(tests(6))
    await evaluate(folder)
    const answers = linesOf(answersFile(folder)).slice(0, 4)
    const results = linesOf(resultsFile(folder)).slice(0, 3)
    writeFileSync(answersFile(folder), answers.map(line => `${line}\n`).join(''))
    writeFileSync(resultsFile(folder), results.map(line => `${line}\n`).join(''))
    tear(answersFile(folder))
    tear(resultsFile(folder))
    const { code, stderr } = await evaluate(folder, ['--resume', '-o', 'all.jsonl'])
    expect(code).toBe(0)
    expect(stderr).toContain('6 passed')
    for (const path of [answersFile(folder), resultsFile(folder)]) {
      expect(readFileSync(path, 'utf8')).not.toContain('torn')
      expect(recordsIn(path)).toHaveLength(6)
    }
    expect(recordsIn(join(folder, 'all.jsonl'))).toHaveLength(6)
    expect(callsIn(folder).length).toBe(6 + 2)
  })

  it('repeats only the edited test, and excludes its old result from reports', async () => {
    const folder = suite(tests(5))
    await evaluate(folder)
    const old = resultsIn(folder)
    rewrite(folder, [test('t0', { input: 'Is it still right?' }), ...tests(5).slice(1)])
    const { code, stderr } = await evaluate(folder, ['--resume', '-o', 'all.jsonl'])
    expect(code).toBe(0)
    expect(stderr).toContain('5 tests: 5 passed')
    expect(resultsIn(folder).slice(0, 5)).toEqual(old)
    expect(resultsIn(folder)).toHaveLength(6)
    expect(resultsIn(folder)[5]).toMatchObject({ test_id: 't0', input: [{ content: 'Is it still right?' }] })
    expect(callsIn(folder)).toHaveLength(6)
    const report = recordsIn<Recorded>(join(folder, 'all.jsonl'))
    expect(report.map(({ test_id }) => test_id)).toEqual(['t0', 't1', 't2', 't3', 't4'])
    expect(report[0]).toEqual({ ...resultsIn(folder)[5], report_results: 5 })
  })

  it('keeps results of removed tests in the file, but excludes them from verdicts and reports', async () => {
    const folder = suite(tests(4))
    writeFileSync(join(folder, 't3.no'), '')
    expect((await evaluate(folder)).code).toBe(1)
    rewrite(folder, tests(3))
    const { code, stderr } = await evaluate(folder, ['--resume', '-o', 'all.jsonl'])
    expect(stderr).toContain('3 tests: 3 passed')
    expect(code).toBe(0)
    expect(callsIn(folder)).toHaveLength(4)
    expect(resultsIn(folder)).toHaveLength(4)
    const report = recordsIn<Recorded>(join(folder, 'all.jsonl'))
    expect(report.map(({ test_id }) => test_id)).toEqual(['t0', 't1', 't2'])
  })

  it('exits with the code of the complete run', async () => {
    const folder = suite(tests(3))
    writeFileSync(join(folder, 't0.no'), '')
    expect((await evaluate(folder)).code).toBe(1)
    const again = await evaluate(folder, ['--resume'])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('t0')
    expect(callsIn(folder)).toHaveLength(3)
  })
})

describe('--rerun-failed', () => {
  it('adds an attempt for each failed or errored one, and all of them count', async () => {
    const folder = suite([...tests(4), test('b', { execution: { target: 'broken' } })])
    for (const name of ['t1.no', 't2.no', 'broken']) writeFileSync(join(folder, name), '')
    expect((await evaluate(folder)).code).toBe(3)
    for (const name of ['t1.no', 'broken']) rmSync(join(folder, name))
    const { code, stderr } = await evaluate(folder, ['--rerun-failed', '-o', 'all.jsonl'])
    expect(stderr).toContain('Resuming: 5 of 8 attempts recorded.\n3 attempts made again: failed or errored.\n')
    expect(code).toBe(3)
    expect(callsIn(folder)).toHaveLength(5 + 3)
    expect(resultsIn(folder)).toHaveLength(5 + 3)
    const rows = recordsIn<Recorded>(join(folder, 'all.jsonl'))
    expect(rows.map(({ test_id, trial, verdict }) => [test_id, trial, verdict])).toEqual([
      ['t0', 1, 'pass'],
      ['t1', 1, 'fail'],
      ['t1', 2, 'pass'],
      ['t2', 1, 'fail'],
      ['t2', 2, 'fail'],
      ['t3', 1, 'pass'],
      ['b', 1, 'error'],
      ['b', 2, 'pass'],
    ])
    const resumed = await evaluate(folder, ['--resume'])
    expect(resumed.code).toBe(3)
    // t2 never passed.
    const flaky = await evaluate(folder, ['--resume', '--allow-flaky'])
    expect(flaky.code).toBe(1)
    expect(flaky.stderr).toContain('quality gate failed: 1 of 5 tests failed, 2 flaky and allowed')
    expect(callsIn(folder)).toHaveLength(5 + 3)
  })

  it('is resumed after kill -9 between an answer and its result, without asking twice', async () => {
    const folder = suite(tests(3))
    writeFileSync(join(folder, 't0.no'), '')
    expect((await evaluate(folder)).code).toBe(1)
    rmSync(join(folder, 't0.no'))
    expect((await evaluate(folder, ['--rerun-failed', '--allow-flaky'])).code).toBe(0)
    expect(callsIn(folder)).toHaveLength(4)
    // The second answer to t0 has arrived; its result is lost.
    const results = linesOf(resultsFile(folder)).slice(0, 3)
    writeFileSync(resultsFile(folder), results.map(line => `${line}\n`).join(''))
    const { code, stderr } = await evaluate(folder, ['--resume', '--allow-flaky'])
    expect(callsIn(folder)).toHaveLength(4)
    expect(stderr).toContain('Resuming: 3 of 4 attempts recorded.')
    expect(stderr).toContain('1 attempt repeated in 1 rerun\n3 tests: 2 passed, 1 failed\n')
    expect(stderr).toContain('quality gate passed: no test failed, 1 flaky and allowed')
    expect(code).toBe(0)
  })
})
