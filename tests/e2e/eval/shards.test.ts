import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { assay } from '../../support/in-process.ts'
import {
  jsonLines,
  latestId,
  mockTargets,
  OWN_TARGET,
  providerModule,
  recordsOf,
  runIds,
  runInfoOf,
  suiteFolder,
  verdictsOf,
  wordTest,
} from '../../support/runs.ts'

const WORDS = ['yes', 'no', 'yes', 'yes', 'no', 'yes', 'yes', 'yes']
const SUITE = {
  name: 'parts',
  tests: [
    ...WORDS.map((word, index) => wordTest(`t${index}`, word, 'yes')),
    wordTest('talk-1', 'yes', 'yes', { conversation_id: 'talk' }),
    wordTest('talk-2', 'yes', 'yes', { conversation_id: 'talk' }),
    wordTest('talk-3', 'no', 'yes', { conversation_id: 'talk' }),
  ],
}
const TARGETS = mockTargets(['^yes', 'yes', { cost_usd: 0.25, duration_ms: 5 }], ['^no$', 'no', { duration_ms: 5 }])

/** A result without the fields that differ between runs. */
function lasting({ run_id, timestamp, evaluator_results, ...result }: Result): object {
  return { ...result, evaluator_results: evaluator_results.map(({ duration_ms, ...check }) => check) }
}

/** The lines of the summary, except those that name the run. */
function summaryOf(stderr: string): string {
  const start = stderr.indexOf('\nsuite ')
  return stderr.slice(start).replace(/^(?:.*recorded in .*|merged into .*|Details: .*)\n/gm, '')
}

async function shards(cwd: string, of: number, ...args: string[]): Promise<string[]> {
  const ids: string[] = []
  for (let index = 1; index <= of; index++) {
    await assay(['eval', '--shard', `${index}/${of}`, ...args], { cwd })
    ids.push(latestId(cwd))
  }
  return ids
}

describe('shards that do not belong together', () => {
  const judged = {
    name: 'judged',
    tests: [1, 2].map(id => ({
      id: `t${id}`,
      criteria: 'c',
      input: 'yes',
      assert: [{ type: 'llm_judge', prompt: 'Is it right? {{answer}}' }],
    })),
  }
  const judgedBy = (score: number) => {
    const judge = { name: 'judge', provider: 'mock', response: JSON.stringify({ score, reasoning: 'So.' }) }
    return JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'yes' }, judge] })
  }

  it('are refused if other judges have judged them', async () => {
    const cwd = suiteFolder(judged, judgedBy(1))
    const [first = ''] = await shards(cwd, 2)
    writeFileSync(join(cwd, '.assay/targets.yaml'), judgedBy(0.9))
    const [, second = ''] = await shards(cwd, 2)
    expect(recordsOf(cwd, second)).toMatchObject([{ score: 0.9 }])
    const { code, stderr } = await assay(['merge', first, second], { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('have different judges (judge)') })
  })

  it('end with 3 if a program changed during any of them', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const ids = await shards(cwd, 3)
    const file = join(cwd, '.assay/runs', ids[1] ?? '', 'run.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), changed: ['agent.py'] }))
    const { code, stderr } = await assay(['merge', ...ids], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain('agent.py changed during the run: the answers come from two versions of the agent')
    expect(runInfoOf(cwd)).toMatchObject({ changed: ['agent.py'] })
  })
})

describe('shards', () => {
  it.each([2, 3])('%d of them merge into the same results as one run', async of => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const ids = await shards(cwd, of, '--trials', '2')
    const whole = await assay(['eval', '--trials', '2', '-o', 'whole.jsonl', '-o', 'whole.json'], { cwd })
    const wholeInfo = runInfoOf(cwd)
    const merged = await assay(['merge', ...ids.toReversed(), '-o', 'merged.jsonl', '-o', 'merged.json', '--json'], {
      cwd,
    })
    expect(merged.code).toBe(whole.code)
    expect(merged.code).toBe(1)
    const [one, other] = ['whole', 'merged'].map(name => jsonLines(readFileSync(join(cwd, `${name}.jsonl`), 'utf8')))
    expect(one).toHaveLength(22)
    expect(other?.map(lasting)).toEqual(one?.map(lasting))
    expect(jsonLines(merged.stdout).map(result => ({ ...result, report_results: 22 }))).toEqual(other)
    expect(new Set(other?.map(({ run_id }) => run_id))).toEqual(new Set([latestId(cwd)]))
    expect(summaryOf(merged.stderr)).toBe(summaryOf(whole.stderr).replaceAll('whole.json', 'merged.json'))
    const [wholeReport, mergedReport] = ['whole', 'merged'].map(name =>
      JSON.parse(readFileSync(join(cwd, `${name}.json`), 'utf8')),
    )
    expect(mergedReport.summary).toEqual(wholeReport.summary)
    const { plan_id, total, attempts, suites, targets } = runInfoOf(cwd)
    expect({ plan_id, total, attempts, suites, targets }).toEqual({
      plan_id: wholeInfo.plan_id,
      total: 22,
      attempts: wholeInfo.attempts,
      suites: wholeInfo.suites,
      targets: wholeInfo.targets,
    })
  })

  it('are disjoint, and never split a conversation', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const ids = await shards(cwd, 3, '--trials', '2')
    const parts = ids.map(id => recordsOf(cwd, id))
    const all = parts.flat().map(({ attempt_id }) => attempt_id)
    expect(new Set(all).size).toBe(22)
    expect(parts.filter(part => part.some(({ test_id }) => test_id.startsWith('talk')))).toHaveLength(1)
    expect(ids.map(id => runInfoOf(cwd, id).shard)).toEqual([1, 2, 3].map(index => ({ index, of: 3 })))
  })

  it('exit with the code of their own tests', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    for (const shard of ['1/4', '2/4', '3/4', '4/4']) {
      const { code, stderr } = await assay(['eval', '--shard', shard], { cwd })
      const failed = recordsOf(cwd).some(({ verdict }) => verdict === 'fail')
      expect(code, stderr).toBe(failed ? 1 : 0)
    }
  })
})

describe('merge', () => {
  it('rejects the same shard twice', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const [first = ''] = await shards(cwd, 2)
    const before = runIds(cwd)
    const { code, stdout, stderr } = await assay(['merge', first, first], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`${first} and ${first} share attempts, so they are not shards of one run.\n`)
    expect(runIds(cwd)).toEqual(before)
  })

  it('rejects shards of different plans', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const [first = ''] = await shards(cwd, 2)
    const [, second = ''] = await shards(cwd, 2, '--trials', '2')
    const { code, stderr } = await assay(['merge', first, second], { cwd })
    expect(code).toBe(2)
    expect(stderr).toBe(`${second} and ${first} have different plans: other suites, targets, filters or trials.\n`)
  })

  it('exits with 3 if a shard is missing, and reports the number of attempts', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const [first = '', second = ''] = await shards(cwd, 2)
    const { code, stderr } = await assay(['merge', first], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain(`${recordsOf(cwd, second).length} not run`)
  })

  it('applies the requested quality gate', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const ids = await shards(cwd, 2)
    const held = await assay(['merge', ...ids, '--min-pass-rate', '0.7'], { cwd })
    expect(held.code).toBe(0)
    expect(held.stderr).toContain('quality gate passed: pass rate 72.73 %, 70 % required')
    expect((await assay(['merge', ...ids, '--min-pass-rate', '0.8'], { cwd })).code).toBe(1)
  })

  it.each<[args: string[], message: RegExp]>([
    [['no-such-run'], /^Run no-such-run not found in /],
    [['latest', '-o', 'x.docx'], /^Cannot write x\.docx: unsupported extension; use one of/],
    [[], /missing required argument 'runs'/],
  ])('rejects %j', async (args, message) => {
    const cwd = suiteFolder(SUITE, TARGETS)
    await assay(['eval', '--shard', '1/2'], { cwd })
    const { code, stdout, stderr } = await assay(['merge', ...args], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(runIds(cwd)).toHaveLength(1)
  })
})

describe('--rerun-failed', () => {
  // Answers `no` or nothing until `fixed` exists; logs each call.
  const own = providerModule(
    `appendFileSync(beside('asked.txt'), prompt.test_id + '\\n')
    if (prompt.test_id === 'broken' && !existsSync(beside('fixed'))) throw new Error('not yet')
    return { text: prompt.test_id === 'good' || existsSync(beside('fixed')) ? 'yes' : 'no' }`,
    "import { existsSync } from 'node:fs'\nconst beside = name => new URL(name, import.meta.url)",
  )
  const suite = { name: 'again', tests: ['good', 'bad', 'broken'].map(id => wordTest(id, 'Hi', 'yes')) }

  it('adds attempts to the same run, and counts every rerun', async () => {
    const cwd = suiteFolder(suite, OWN_TARGET, { 'own.mjs': own })
    const asked = () => readFileSync(join(cwd, 'asked.txt'), 'utf8').trim().split('\n').sort()
    expect((await assay(['eval'], { cwd })).code).toBe(3)
    expect(verdictsOf(recordsOf(cwd))).toEqual({ good: 'pass', bad: 'fail', broken: 'error' })
    const id = latestId(cwd)
    const still = await assay(['eval', '--rerun-failed'], { cwd })
    expect(still.code).toBe(3)
    expect(asked()).toEqual(['bad', 'bad', 'broken', 'broken', 'good'])
    writeFileSync(join(cwd, 'fixed'), '')
    const fixed = await assay(['eval', `--rerun-failed=${id}`, '-o', 'out.jsonl'], { cwd })
    expect(fixed.code).toBe(3)
    expect(fixed.stderr).toContain('Resuming: 5 of 7 attempts recorded.\n2 attempts made again: failed or errored.\n')
    expect(fixed.stderr).toContain('4 attempts repeated in 2 reruns\n3 tests: 1 passed, 1 failed, 1 with errors\n')
    expect(runIds(cwd)).toEqual([id])
    const results = jsonLines(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
    const verdicts = (name: string) =>
      results.filter(({ test_id }) => test_id === name).map(({ trial, rerun, verdict }) => [trial, rerun, verdict])
    expect(verdicts('good')).toEqual([[1, undefined, 'pass']])
    expect(verdicts('bad')).toEqual([
      [1, undefined, 'fail'],
      [2, 1, 'fail'],
      [3, 2, 'pass'],
    ])
    expect(verdicts('broken').map(([, , verdict]) => verdict)).toEqual(['error', 'error', 'pass'])
    expect(asked().filter(name => name === 'good')).toHaveLength(1)
    const allowed = await assay(['eval', '--resume', '--allow-flaky'], { cwd })
    expect(allowed.code).toBe(0)
    expect(allowed.stderr).toContain('quality gate passed: no test failed, 2 flaky and allowed')
  })

  it('starts a new run and reports it if no run exists', async () => {
    const cwd = suiteFolder(SUITE, TARGETS)
    const { code, stderr } = await assay(['eval', '--rerun-failed'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('No earlier run found: starting a new one.\n')
  })
})

describe('--resume', () => {
  it('works from another folder, also after --targets', async () => {
    const cwd = suiteFolder(SUITE, TARGETS, { 'work/own-targets.yaml': TARGETS, '.git/HEAD': '' })
    const args = ['eval', '..', '--targets', 'own-targets.yaml', '--fail-fast', '--workers', '1']
    const first = await assay(args, { cwd: join(cwd, 'work') })
    expect(first.stderr).toContain('Resume with: assay eval --resume=')
    const resumed = await assay(['eval', '--resume'], { cwd })
    expect(resumed.code, resumed.stderr).toBe(1)
    expect(resumed.stderr).toContain('11 tests: 8 passed, 3 failed')
  })
})
