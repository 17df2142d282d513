import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { type Recorded, resultsIn, runFolder, suiteFolder } from '../../../support/suite-run.ts'
import { LONGER, type PairServer, servePairs } from './pair-server.ts'

const GRADED = { type: 'regex', value: 'answer' }

/** A server whose target answers longer with each call. */
function growing(): Promise<PairServer> {
  return servePairs({
    choose: LONGER,
    answers: { new: (_, nth) => 'answer '.repeat(nth), old: () => 'answer of old', odd: () => 'an odd answer' },
  })
}

function suiteOf(checks: readonly object[], execution: object = { target: 'new' }, input = 'question'): object {
  return { name: 'agents', execution, tests: [{ id: 't0', criteria: 'Is complete', input, assert: checks }] }
}

const against = (run: string) => [GRADED, { type: 'pairwise', against: `run ${run}` }]

/** A folder with a first run, whose tests are not compared. */
async function firstRun(server: PairServer, execution?: object, args: readonly string[] = []): Promise<string> {
  const cwd = suiteFolder(suiteOf([GRADED], execution) as { tests: object[] }, server.targets)
  await assay(['eval', ...args], { cwd })
  return cwd
}

function rewrite(cwd: string, suite: object): void {
  writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify(suite))
}

const idOf = (cwd: string) => runFolder(cwd).split('/').at(-1) ?? ''
const pairOf = ({ evaluator_results }: Recorded) => evaluator_results.find(({ type }) => type === 'pairwise')?.pair
const pairsIn = (cwd: string) => resultsIn(cwd).map(pairOf)

describe('a comparison with an earlier run', () => {
  it.each([
    ['its id', (id: string) => id],
    ['a prefix of its id', (id: string) => id.slice(0, -1)],
    ['`latest`', () => 'latest'],
    ['its folder, relative to the suite', (id: string) => `.assay/runs/${id}`],
  ])('names it by %s', async (_, nameOf) => {
    const server = await growing()
    const cwd = await firstRun(server)
    const name = nameOf(idOf(cwd))
    rewrite(cwd, suiteOf(against(name)))
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(`${code} ${stderr}`).toMatch(/^0 /)
    expect(pairsIn(cwd)).toEqual([{ against: `run ${name}`, answer_first: 'answer', answer_second: 'answer' }])
    expect(stderr).toContain(`new against run ${name}: 1 win, 0 losses, 0 ties`)
    expect(server.callsTo('new')).toBe(2)
  })

  it('takes `latest` for the run before the one that is made, resumed or graded', async () => {
    const server = await growing()
    const cwd = await firstRun(server)
    const first = idOf(cwd)
    rewrite(cwd, suiteOf(against('latest')))
    await assay(['eval'], { cwd })
    const second = idOf(cwd)
    expect(pairsIn(cwd)).toMatchObject([{ answer_first: 'answer' }])
    const judged = server.callsTo('judge')
    // Nothing has changed for the run that is resumed: it is not compared with itself.
    await assay(['eval', '--resume'], { cwd })
    expect([idOf(cwd), server.callsTo('judge'), server.callsTo('new')]).toEqual([second, judged, 2])
    await assay(['grade', second], { cwd })
    expect(pairsIn(cwd)).toMatchObject([{ answer_first: 'answer', answer_second: 'answer' }])
    expect(first).not.toBe(second)
  })

  it('is made again by a resumed run if the recorded answers have changed', async () => {
    const server = await growing()
    const cwd = await firstRun(server)
    const folder = join(cwd, 'saved')
    mkdirSync(folder)
    renameSync(runFolder(cwd), join(folder, 'run'))
    rewrite(cwd, suiteOf(against('saved/run')))
    await assay(['eval'], { cwd })
    expect(pairsIn(cwd)).toMatchObject([{ answer_first: 'answer' }])
    for (const name of readdirSync(join(folder, 'run')).filter(each => each.endsWith('.jsonl'))) {
      const path = join(folder, 'run', name)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('answer ', `${'answer '.repeat(50)}`))
    }
    await assay(['eval', '--resume'], { cwd })
    expect(resultsIn(cwd).map(pairOf)).toMatchObject([{ answer_first: 'answer' }, { answer_first: 'other' }])
  })

  it('is with the same trial, else with the first one', async () => {
    const server = await growing()
    const cwd = await firstRun(server, { target: 'new', trials: 2 }, ['--workers', '1'])
    const id = idOf(cwd)
    rewrite(cwd, suiteOf(against(id), { target: 'old', trials: 3 }))
    const { stderr } = await assay(['eval'], { cwd })
    // `answer of old` is longer than one word, and shorter than two.
    const winners = resultsIn(cwd).sort((a, b) => a.trial - b.trial)
    expect(
      winners.map(result => pairOf(result)?.answer_first),
      stderr,
    ).toEqual(['answer', 'other', 'answer'])
  })

  it('is with the same target of several', async () => {
    const server = await growing()
    const cwd = await firstRun(server, { targets: ['new', 'old'] })
    const id = idOf(cwd)
    rewrite(cwd, suiteOf(against(id), { target: 'old' }))
    await assay(['eval'], { cwd })
    expect(pairsIn(cwd)).toMatchObject([{ equal: true }])
  })
})

describe('a run that cannot be compared with', () => {
  it.each([
    ['is missing', against('nowhere'), undefined, 'question', /Run nowhere not found in/],
    ['asks something else', against('latest'), undefined, 'other question', /asks something else than in run latest/],
    [
      'has several other targets',
      against('latest'),
      { target: 'odd' },
      'question',
      /run latest has answers of new, old, but not of odd/,
    ],
  ])('%s: this is reported before anything is asked', async (_, checks, execution, input, words) => {
    const server = await growing()
    const cwd = await firstRun(server, { targets: ['new', 'old'] })
    const calls = server.server.calls.length
    rewrite(cwd, suiteOf(checks, execution, input))
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(words)
    expect(stderr).toMatch(/EVAL.yaml:\d+:\d+ error no-comparison/)
    expect(server.server.calls).toHaveLength(calls)
  })

  it('has no answer to the test', async () => {
    const server = await growing()
    const cwd = await firstRun(server)
    const suite = suiteOf(against('latest')) as { tests: { id: string }[] }
    rewrite(cwd, { ...suite, tests: suite.tests.map(test => ({ ...test, id: 'other' })) })
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('run latest has no answer to the test other')
  })

  it('is the first run of a project', async () => {
    const server = await growing()
    const cwd = suiteFolder(suiteOf(against('latest')) as { tests: object[] }, server.targets)
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('there is no earlier run to compare with')
  })
})
