import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../../../src/model/result.ts'
import { assay } from '../../../support/in-process.ts'
import { linesOf, resultsIn, runFolder } from '../../../support/suite-run.ts'
import { answersFile } from './call-log.ts'
import { AGENT, callsOf, evalIn, infoIn, repliesFolder, summaryOf, TARGET } from './replies.ts'

describe('--rerun-failed', () => {
  it('adds attempts: a test that fails and then passes is flaky, and its verdict follows the mean score', async () => {
    const cwd = repliesFolder({ good: ['ok'], coin: ['no', 'ok'] })
    expect((await evalIn(cwd)).code).toBe(1)
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect(code).toBe(1)
    expect(stderr).toContain('1 attempt made again: failed or errored.')
    expect(stderr).toContain('flaky: coin')
    expect(stderr).toContain('1 attempt repeated in 1 rerun\n2 tests: 1 passed, 1 failed\n')
    expect(stderr).toContain('75 %')
    expect(resultsIn(cwd).map(({ test_id, trial, rerun, verdict }) => [test_id, trial, rerun, verdict])).toEqual([
      ['good', 1, undefined, 'pass'],
      ['coin', 1, undefined, 'fail'],
      ['coin', 2, 1, 'pass'],
    ])
  })

  it('counts every attempt, so that a coin-flip agent never looks reliable', async () => {
    const cwd = repliesFolder({ a: ['no', 'ok', 'no', 'no', 'ok'], b: ['no', 'no', 'ok', 'ok', 'ok'] })
    await evalIn(cwd, '--trials', '3')
    // a: no ok no | no ok; b: no no ok | ok ok
    await evalIn(cwd, '--rerun-failed')
    const again = await evalIn(cwd, '--rerun-failed')
    const { tests, pass_rate, trials, reruns } = await summaryOf(cwd)
    expect(
      tests.map(({ attempts, passed, is_flaky }: Record<string, unknown>) => [attempts, passed, is_flaky]),
    ).toEqual([
      [6, 3, true],
      [5, 3, true],
    ])
    expect(pass_rate.rate).toBeCloseTo((3 / 6 + 3 / 5) / 2, 12)
    expect(trials).toMatchObject({ k: 5, most: 6 })
    expect(reruns).toEqual({ attempts: 5, reruns: 2 })
    expect(again.code).toBe(1)
    expect(
      infoIn(cwd).reruns.map(({ added, replaced }: Record<string, string[]>) => [added?.length, replaced]),
    ).toEqual([
      [4, []],
      [1, []],
    ])
    expect(callsOf(cwd, 'a') + callsOf(cwd, 'b')).toBe(11)
  })

  it('adds nothing if every failed test has passed since', async () => {
    const cwd = repliesFolder({ coin: ['no', 'ok'] })
    await evalIn(cwd)
    await evalIn(cwd, '--rerun-failed')
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect(stderr).toContain('No failed or errored attempts to make again.')
    expect(stderr).toContain('1 attempt repeated in 1 rerun')
    expect([code, callsOf(cwd, 'coin')]).toEqual([1, 2])
  })

  it('keeps the verdict `error` after a crash, even if the repeated attempt passes', async () => {
    const cwd = repliesFolder({ crash: ['!', 'ok'] })
    expect((await evalIn(cwd)).code).toBe(3)
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect(code).toBe(3)
    expect(stderr).toContain('1 of 2 attempts errored; flaky: crash')
    const { tests, pass_rate, score } = await summaryOf(cwd)
    expect(tests).toMatchObject([{ verdict: 'error', attempts: 2, passed: 1, errors: 1, score: 1 }])
    expect([pass_rate.rate, score.mean]).toEqual([0.5, 1])
  })

  it('repeats an attempt whose program was missing, as one of a changed target', async () => {
    const cwd = repliesFolder({ a: ['ok'] }, { ...TARGET, command: ['./agent'] })
    expect((await evalIn(cwd)).code).toBe(3)
    expect(resultsIn(cwd)[0]?.error).toMatchObject({ code: 'program-missing', never_reached: true })
    writeFileSync(join(cwd, 'agent'), `#!/bin/sh\n${AGENT}`, { mode: 0o755 })
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect(stderr).toContain('1 attempt made again: agent changed.')
    expect([code, resultsIn(cwd).length]).toEqual([0, 2])
  })

  it('grades an ungraded answer again without asking the target', async () => {
    const cwd = repliesFolder({ a: ['first', 'second'] })
    const judge = { type: 'code_judge', command: ['sh', '-c', '[ -e fixed ] && echo \'{"score": 1}\''] }
    writeFileSync(
      join(cwd, 'EVAL.yaml'),
      JSON.stringify({ name: 'suite', tests: [{ id: 'a', input: 'a', criteria: 'c', assert: [judge] }] }),
    )
    expect((await evalIn(cwd)).code).toBe(3)
    writeFileSync(join(cwd, 'fixed'), '')
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect([code, callsOf(cwd, 'a')]).toEqual([0, 1])
    expect(stderr).toContain('1 attempt repeated in 1 rerun')
    expect(resultsIn(cwd).map(({ answer, rerun, verdict }) => [answer, rerun, verdict])).toEqual([
      ['first', undefined, 'error'],
      ['first', 1, 'pass'],
    ])
    expect(linesOf(answersFile(cwd))).toHaveLength(1)
  })

  it('is completed by --resume after an interruption', async () => {
    const cwd = repliesFolder({ a: ['no', 'ok'], b: ['no', 'no', 'ok'] })
    await evalIn(cwd)
    await evalIn(cwd, '--rerun-failed')
    const file = join(runFolder(cwd), 'results.jsonl')
    const lines = linesOf(file)
    expect(lines).toHaveLength(4)
    writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n`)
    writeFileSync(answersFile(cwd), `${linesOf(answersFile(cwd)).slice(0, 3).join('\n')}\n`)
    const { stderr } = await evalIn(cwd, '--resume')
    expect(stderr).toContain('Resuming: 3 of 4 attempts recorded.')
    expect((await summaryOf(cwd)).reruns).toEqual({ attempts: 2, reruns: 1 })
  })

  it('keeps failed trials when fewer trials are requested later', async () => {
    const cwd = repliesFolder({ a: ['ok', 'no', 'no'] })
    expect((await evalIn(cwd, '--trials', '3')).code).toBe(1)
    const { code, stderr } = await evalIn(cwd, '--resume', '--trials', '1')
    expect(stderr).toContain('3 trials: 0 % pass all (pass^3)')
    expect(code).toBe(1)
  })

  it('drops the attempts of an earlier version of the agent', async () => {
    const cwd = repliesFolder({ a: ['no', 'ok'] })
    await evalIn(cwd)
    await evalIn(cwd, '--rerun-failed')
    writeFileSync(join(cwd, 'agent.sh'), `${AGENT}# edited\n`)
    const { code, stderr } = await evalIn(cwd, '--resume')
    expect(stderr).toContain('1 attempt made again: agent.sh changed.')
    expect(stderr).not.toContain('rerun')
    expect(code).toBe(0)
    expect((await assay(['report', 'latest', '--format', 'text'], { cwd })).code).toBe(0)
  })
})

describe('--allow-flaky', () => {
  it('passes if every test passed at least once, and still lists flaky tests', async () => {
    const cwd = repliesFolder({ good: ['ok'], coin: ['no', 'ok'], crash: ['!', 'ok'] })
    await evalIn(cwd)
    const { code, stderr } = await evalIn(cwd, '--rerun-failed', '--allow-flaky')
    expect(code).toBe(0)
    expect(stderr).toContain('flaky: coin, crash')
    expect(stderr).toContain('3 tests: 1 passed, 1 failed, 1 with errors\n')
    expect(stderr).toContain('quality gate passed: no test failed, 2 flaky and allowed\n')
    // A resumed run keeps its quality gate.
    expect((await evalIn(cwd, '--resume')).code).toBe(0)
  })

  it('fails if a test never passed', async () => {
    const cwd = repliesFolder({ bad: ['no'], coin: ['no', 'ok'] })
    await evalIn(cwd)
    const { code, stderr } = await evalIn(cwd, '--rerun-failed', '--allow-flaky')
    expect(code).toBe(1)
    expect(stderr).toContain('quality gate failed: 1 of 2 tests failed, 1 flaky and allowed\n')
  })
})

describe('a run with reruns', () => {
  it('is merged with the other shards, with the same counts', async () => {
    const cwd = repliesFolder({ a: ['no', 'ok'], b: ['ok'], c: ['no', 'no', 'ok'], d: ['ok'] })
    const ids: string[] = []
    for (const shard of ['1/2', '2/2']) {
      await evalIn(cwd, '--shard', shard)
      await evalIn(cwd, '--rerun-failed')
      ids.push(infoIn(cwd).run_id)
    }
    await evalIn(cwd, `--rerun-failed=${ids[0]}`)
    const { code, stderr } = await assay(['merge', ...ids], { cwd })
    expect(stderr).toContain('3 attempts repeated in 2 reruns')
    expect(code).toBe(1)
    const { tests, not_run, partial } = await summaryOf(cwd)
    expect(tests.map(({ test_id, attempts, passed }: Record<string, unknown>) => [test_id, attempts, passed])).toEqual([
      ['a', 2, 1],
      ['b', 1, 1],
      ['c', 3, 1],
      ['d', 1, 1],
    ])
    expect([not_run, partial]).toEqual([0, undefined])
  })

  it('shows the number of repeated attempts in every report', async () => {
    const cwd = repliesFolder({ coin: ['no', 'ok'] })
    await evalIn(cwd)
    await evalIn(cwd, '--rerun-failed')
    const NOTE = '1 attempt repeated in 1 rerun'
    for (const format of ['text', 'markdown', 'junit', 'github', 'html']) {
      const { stdout } = await assay(['report', 'latest', '--format', format], { cwd })
      expect(stdout, format).toContain(NOTE)
    }
    const lines = (await assay(['report', 'latest', '--format', 'jsonl'], { cwd })).stdout.trim().split('\n')
    expect(lines.map(line => (JSON.parse(line) as Result).rerun)).toEqual([undefined, 1])
    const csv = (await assay(['report', 'latest', '--format', 'csv'], { cwd })).stdout.split('\r\n')
    const column = csv[0]?.split(',').indexOf('rerun') ?? -1
    expect(csv.slice(1, 3).map(row => row.split(',')[column])).toEqual(['', '1'])
    const folder = join(cwd, 'iterations')
    const written = await assay(['report', 'latest', '--format', 'skill-creator', '-o', folder], { cwd })
    expect(written.stderr).toContain(NOTE)
    rmSync(folder, { recursive: true })
  })
})

describe('metrics of a run with reruns', () => {
  it('exclude reruns from the pass rate of the quality gate', async () => {
    const cwd = repliesFolder({ a: ['ok'], b: ['no', 'ok'], c: ['no', 'ok'] })
    expect((await evalIn(cwd, '--min-pass-rate', '0.5')).code).toBe(1)
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect(code).toBe(1)
    expect(stderr).toContain('67 %')
    expect(stderr).toContain('pass rate without reruns 33 % [6–79]')
    expect(stderr).toContain('quality gate failed: pass rate without reruns 33.33 %, 50 % required\n')
    const { pass_rate } = await summaryOf(cwd)
    expect(pass_rate).toMatchObject({ rate: 2 / 3, first: { rate: 1 / 3 } })
    expect(pass_rate).not.toHaveProperty('interval')
  })

  it('exclude reruns from comparisons', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `t${index}`)
    const cwd = repliesFolder(Object.fromEntries(ids.map(id => [id, ['no', 'ok']])))
    await evalIn(cwd)
    await assay(['report', 'latest', '-o', 'before.jsonl'], { cwd })
    await evalIn(cwd, '--rerun-failed')
    const { stdout } = await assay(['compare', 'before.jsonl', 'latest', '--json'], { cwd })
    expect(JSON.parse(stdout).comparisons).toMatchObject([
      { verdict: 'inconclusive', evidence: { mean: 0 }, after: { pass_rate: { rate: 0 }, score: { mean: 0 } } },
    ])
  })

  it('include reruns after a narrower resume, and no attempt is repeated twice', async () => {
    const cwd = repliesFolder({ a: ['no', 'ok'], b: ['ok'] })
    await evalIn(cwd)
    await evalIn(cwd, '--rerun-failed')
    const narrow = await evalIn(cwd, '--resume', '--test-id', 'b')
    expect(narrow.stderr).toContain(
      '2 recorded attempts no longer count, 1 of them not passed: not part of this request.',
    )
    await evalIn(cwd, '--resume', '--test-id', '*')
    expect((await summaryOf(cwd)).reruns).toEqual({ attempts: 1, reruns: 1 })
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    expect(stderr).toContain('No failed or errored attempts to make again.')
    expect([code, callsOf(cwd, 'a')]).toEqual([1, 2])
  })
})
