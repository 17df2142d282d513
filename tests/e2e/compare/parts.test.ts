import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { suiteFolder, wordTest } from '../../support/runs.ts'
import { compare, REGRESSION, runEval } from './agent-runs.ts'

const IDS = Array.from({ length: 20 }, (_, index) => `t${index + 10}`)
/** t10 … t19 are about billing, and `bad` fails them. */
const suite = (...suiteTags: string[]) => ({
  name: 'words',
  metadata: { tags: suiteTags },
  tests: IDS.map(id =>
    wordTest(id, id, 'yes', { metadata: { tags: [id < 't20' ? 'billing' : 'other'], lang: id < 't15' ? 'en' : 'de' } }),
  ),
})
const says = (name: string, ...noTo: string[]) => ({
  name,
  provider: 'mock',
  responses: [...noTo.map(pattern => ({ pattern, response: 'no' })), { pattern: '.', response: 'yes' }],
})
const TARGETS = JSON.stringify({ targets: [says('good'), says('bad', '^t1')] })
const cwd = suiteFolder(suite('nightly'), TARGETS)
const report = (...args: string[]) => assay(['report', ...args], { cwd })
let good = ''
let bad = ''

beforeAll(async () => {
  good = await runEval(cwd, '--target', 'good')
  bad = await runEval(cwd, '--target', 'bad')
})

describe('a filtered comparison', () => {
  it('says that it is a part, above its numbers and at its gate, also if it hides a regression', async () => {
    const { code, stdout } = await compare(cwd, good, bad, REGRESSION, '--tag', 'other')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^of 20 tests, 10 selected by --tag other\n/)
    expect(stdout).toMatch(/\nof 20 tests, 10 selected by --tag other: quality gate passed\n$/)
    const whole = await compare(cwd, good, bad, REGRESSION)
    expect(whole.code).toBe(1)
    expect(whole.stdout).not.toContain('selected by')
    const billing = await compare(cwd, good, bad, REGRESSION, '--tag', 'billing')
    expect(billing.code).toBe(1)
    expect(billing.stdout).toContain('of 20 tests, 10 selected by --tag billing: quality gate failed: worse')
  })

  it('has the selection in JSON', async () => {
    const { stdout } = await compare(cwd, good, bad, '--test-id', 't1?', '--json')
    const data = JSON.parse(stdout)
    expect(data.selection).toEqual({ selected: 10, available: 20, by: '--test-id t1?' })
    expect(data.comparisons[0].pairs).toHaveLength(10)
  })

  it('finds tests that lost the tag of their suite in the later run', async () => {
    writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify(suite('weekly')))
    const weekly = await runEval(cwd, '--target', 'bad')
    writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify(suite('nightly')))
    const { code, stdout } = await compare(cwd, good, weekly, REGRESSION, '--tag', 'nightly')
    expect(stdout).toContain('20 tests compared: 0 improved, 10 worse')
    expect(code).toBe(1)
  })

  it('is an error if no test matches', async () => {
    const { code, stdout, stderr } = await compare(cwd, good, bad, '--tag', 'bill')
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toContain('No tests match: none of the recorded tests is selected by --tag bill.\n')
    expect((await compare(cwd, good, bad, '--tag', 'bill', REGRESSION)).code).toBe(5)
  })
})

describe('slices of a comparison', () => {
  it('have a row each, and do not change the verdict', async () => {
    const { stdout } = await compare(cwd, good, bad, '--by', 'tag')
    expect(stdout).toMatch(
      /\nslice +verdict +tests +pass rate before +after +score difference, adjusted p\nbilling +worse +10 /,
    )
    expect(stdout).toMatch(/\nother +inconclusive +10 /)
    const { comparisons } = JSON.parse((await compare(cwd, good, bad, '--by', 'metadata.lang', '--json')).stdout)
    expect(comparisons[0].slices.map(({ name, tests }: { name: string; tests: number }) => [name, tests])).toEqual([
      ['de', 15],
      ['en', 5],
    ])
  })

  it('reject an unknown key before anything is read', async () => {
    const { code, stderr } = await compare(cwd, 'nowhere', '--by', 'verdict')
    expect(code).toBe(2)
    expect(stderr).toContain('It must be tag, suite, target or metadata.KEY.')
  })
})

describe('a filtered report', () => {
  it('says that it is a part', async () => {
    const { code, stdout } = await report(bad, '--tag', 'other', '--by', 'metadata.lang')
    expect(code).toBe(0)
    expect(stdout).toContain('partial run: 10 of 20 tests selected (--tag other)\n')
    expect(stdout).toContain('\n10 tests: 10 passed\n')
    expect(stdout).toMatch(/^metadata\.lang +target +tests/m)
    expect(stdout).toMatch(/^de +bad +10 /m)
  })

  it('is a part in every format that can be compared again', async () => {
    for (const file of ['part.json', 'part.jsonl']) {
      expect((await report(bad, '--tag', 'other', '-o', file)).code).toBe(0)
      const { code, stdout } = await compare(cwd, good, file, '--target', 'good', '--target', 'bad', REGRESSION)
      expect(stdout).toContain('10 of 20 tests selected (--tag other)')
      expect(code).toBe(3)
    }
    expect(JSON.parse(readFileSync(join(cwd, 'part.json'), 'utf8')).results).toHaveLength(10)
  })

  it('is an error if no test matches, or if the format has no slices', async () => {
    expect(await report(bad, '--test-id', 'x*')).toMatchObject({ code: 5, stdout: '' })
    expect(await report(bad, '--by', 'tag', '--format', 'junit')).toMatchObject({
      code: 2,
      stderr: '--format junit has no slices: remove --by.\n',
    })
  })
})

describe('assay eval --by', () => {
  it('adds slices to its summary and its reports', async () => {
    const { stderr } = await assay(['eval', '--target', 'bad', '--by', 'tag', '-o', 'by.md'], { cwd })
    expect(stderr).toMatch(/^billing +bad +10 +0 /m)
    expect(readFileSync(join(cwd, 'by.md'), 'utf8')).toContain('| billing | bad | 10 | 0 |')
  })
})
