import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { instrumentOf } from '../../../src/model/calibration.ts'
import { labelledAnswer } from '../../../src/model/label.ts'
import type { Result } from '../../../src/model/result.ts'
import { assay } from '../../support/in-process.ts'
import { latestId, recordsOf, runInfoOf, suiteFolder } from '../../support/runs.ts'

const judge = (name: string, model: string) => ({
  name,
  provider: 'mock',
  response: JSON.stringify({ score: 1, hits: [], misses: [], reasoning: model }),
})

const TARGETS = JSON.stringify({
  targets: [{ name: 'default', provider: 'mock', response: 'ok' }, judge('judge', 'one'), judge('strict', 'two')],
})

const SUITE = {
  name: 'judged',
  tests: Array.from({ length: 20 }, (_, index) => ({
    id: `t${index}`,
    criteria: 'Says ok',
    input: `Question ${index}`,
    assert: [{ type: 'llm_judge', prompt: 'Is {{answer}} fine?' }],
  })),
}

const folder = () => suiteFolder(SUITE, TARGETS)
const EVAL = ['eval', '--judge', 'judge']

/** Writes the calibration of the last run: labels of its first answers. */
function calibrate(cwd: string, labels: readonly boolean[], more: object = {}): void {
  const results = recordsOf(cwd) as readonly Result[]
  const [first] = results
  const labelled = results.slice(0, labels.length).map((result, index) => ({
    ...labelledAnswer(result),
    passes: labels[index],
  }))
  const passes = labels.filter(Boolean).length
  const strata = [
    { target: 'default', judge_passes: true, answers: results.length, labels: labels.length, passes },
    { target: 'default', judge_passes: false, answers: 0, labels: 0, passes: 0 },
  ]
  const calibration = {
    ...{ assay_calibration: 1, fingerprint: 'f', suite: 'judged', judges: ['judge'], run_id: latestId(cwd) },
    judges_hash: first?.judges_hash,
    instruments: [first && instrumentOf(first)],
    ...{ made: '2026-11-17T09:00:00.000Z', people: 1, figures: {}, strata, labelled },
    ...more,
  }
  write(cwd, JSON.stringify(calibration))
}

function write(cwd: string, text: string): void {
  mkdirSync(join(cwd, '.assay/calibration'), { recursive: true })
  writeFileSync(join(cwd, '.assay/calibration/f.json'), text)
}

const LABELS = [true, true, true, false, true, true, false, true]
const SENTENCE = /100 % judged; \d+ % \[\d+–\d+\] corrected by 8 labels/

/** Without the escapes of the format. */
const plain = (text: string) => text.replaceAll('%25', '%').replaceAll('&#91;', '[').replaceAll('&#93;', ']')

describe('a run with a calibration', () => {
  let cwd: string
  beforeAll(async () => {
    cwd = folder()
    await assay(EVAL, { cwd })
    calibrate(cwd, LABELS)
  })

  it.each(['text', 'markdown', 'html', 'github', 'junit'])('has the corrected pass rate in %s', async format => {
    const { code, stdout } = await assay(['report', 'latest', '--format', format], { cwd })
    expect(code).toBe(0)
    expect(plain(stdout)).toMatch(SENTENCE)
  })

  it('has it in the JSON document, by target and for the only one', async () => {
    const { stdout } = await assay(['report', 'latest', '--format', 'json'], { cwd })
    const { summary } = JSON.parse(stdout)
    expect(summary.corrected_pass_rate).toMatchObject({
      rate: 0.75,
      labels: { of_target: 8, of_other_targets: 0, of_other_runs: 0 },
    })
    expect(summary.targets[0].corrected_pass_rate).toEqual(summary.corrected_pass_rate)
  })

  it('has a note in a comparison', async () => {
    const { stdout } = await assay(['compare', 'latest', 'latest'], { cwd })
    expect(stdout).toMatch(SENTENCE)
  })

  it('shows it for a part of the tests', async () => {
    const { stdout } = await assay(['report', 'latest', '--test-id', 't1*'], { cwd })
    expect(stdout).toMatch(/corrected by 1 label\n/)
  })

  it('is stale after it was graded by another judge, which the gate does not pass', async () => {
    const graded = await assay(
      ['grade', 'latest', '--judge', 'strict', '--min-pass-rate', '0.1', '--gate', 'corrected'],
      { cwd },
    )
    const stale = 'the calibration of judged is stale, since it is of another judge; run `assay calibrate'
    expect(graded.stderr).toContain(`no corrected pass rate: ${stale}`)
    expect(graded.stderr).toContain(`quality gate failed: corrected pass rate unknown (${stale}`)
    expect(graded.code).toBe(1)
  })
})

describe('--gate corrected', () => {
  it('compares the corrected pass rate, and a resumed run keeps it', async () => {
    const cwd = folder()
    await assay(EVAL, { cwd })
    calibrate(cwd, LABELS)
    const gated = (rate: string, gate: string) =>
      assay([...EVAL, '--min-pass-rate', rate, '--gate', gate, '--quiet'], { cwd })
    expect(await gated('0.9', 'raw')).toMatchObject({ code: 0 })
    const failed = await gated('0.9', 'corrected')
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.stderr).toContain('quality gate failed: corrected pass rate 75 %, 90 % required')
    expect(runInfoOf(cwd).options).toMatchObject({ gate: 'corrected', min_pass_rate: 0.9 })
    expect(await assay(['eval', '--resume', '--quiet'], { cwd })).toMatchObject({ code: 1 })
    expect(await gated('0.6', 'corrected')).toMatchObject({ code: 0 })
  })

  it('fails without a calibration, and makes all attempts', async () => {
    const cwd = folder()
    const { code, stderr } = await assay([...EVAL, '--min-pass-rate', '0.5', '--gate', 'corrected'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('corrected pass rate unknown (no calibration of judged')
    expect(recordsOf(cwd)).toHaveLength(20)
  })

  it('accepts verdicts that no model judged', async () => {
    const tests = [{ id: 'a', criteria: 'Says ok', input: 'Hi', assert: [{ type: 'contains', value: 'ok' }] }]
    const cwd = suiteFolder({ name: 'computed', tests }, TARGETS)
    const { code, stderr } = await assay(['eval', '--min-pass-rate', '0.5', '--gate', 'corrected'], { cwd })
    expect(stderr).toContain('quality gate passed: corrected pass rate 100 %, 50 % required')
    expect(code).toBe(0)
  })

  it.each([
    [['--gate', 'corrected'], '--gate corrected needs a pass rate that is required.'],
    [['--gate', 'corrected', '--min-pass-rate', '0.9', '--until-decided'], 'cannot be used with --until-decided'],
    [['--gate', 'corrected', '--min-pass-rate', '0.9', '--affected'], 'cannot be used with --affected'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await assay([...EVAL, ...args], { cwd: folder() })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('calibration files', () => {
  it('of other suites change nothing', async () => {
    const cwd = folder()
    await assay(EVAL, { cwd })
    const formats = ['text', 'markdown', 'json', 'html', 'github', 'junit', 'csv', 'jsonl']
    const reports = () => Promise.all(formats.map(format => assay(['report', 'latest', '--format', format], { cwd })))
    const before = await reports()
    calibrate(cwd, LABELS, { suite: 'another' })
    expect(await reports()).toEqual(before)
  })

  it.each(['{"assay_calibration": 1', '<<<<<<< HEAD', '[]', ''])('that are damaged are an error: %j', async text => {
    const cwd = folder()
    write(cwd, text)
    for (const args of [EVAL, ['merge', 'a', 'b']]) {
      const { code, stderr } = await assay(args, { cwd })
      expect(code).toBe(2)
      expect(stderr).toContain('f.json: this is not a calibration')
      expect(stderr).toContain('Remove it, then run `assay calibrate`.')
    }
    // Nothing was run.
    expect(readdirSync(join(cwd, '.assay'))).not.toContain('runs')
    expect(readFileSync(join(cwd, '.assay/calibration/f.json'), 'utf8')).toBe(text)
  })
})
