import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composite } from '../../src/evaluators/composite.ts'
import type { Answer } from '../../src/model/answer.ts'
import type { Check } from '../../src/model/check.ts'
import type { GradeContext, Subject } from '../../src/model/evaluator.ts'
import type { Grade } from '../../src/model/grade.ts'
import { judgeChecks } from '../../src/model/verdict.ts'
import { gradeChecks, gradeTest, loadTest } from '../support/checks.ts'
import { evalFolder, evaluate } from '../support/evaluation.ts'
import { compositeOf, scored } from './composites.ts'

const ANSWER: Answer = { text: `${'a'.repeat(40)}b`, output_messages: [] }
const GATE = '{type: safety_gate, required: [gate]}'
/** A judge that writes a file when it runs. */
const LEAVES_A_TRACE = `{name: trace, type: code_judge, command: "touch trace && echo '{\\"score\\": 1}'"}`

/** The grade of a composite, and whether its judge ran. */
async function traced(check: string) {
  const test = await loadTest([check])
  const [result] = await gradeTest(test, ANSWER)
  return { result: result!, ran: existsSync(join(dirname(test.at.file), 'trace')) }
}

describe('a safety gate', () => {
  it('runs the other checks if it passes', async () => {
    const { result, ran } = await traced(compositeOf(GATE, [LEAVES_A_TRACE, scored(0.6, 'name: gate')]))
    expect(result.score).toBeCloseTo(0.8, 9)
    expect(ran).toBe(true)
  })

  it.each<[what: string, children: string[]]>([
    ['before the gate', [LEAVES_A_TRACE, scored(0.5, 'name: gate')]],
    ['after the gate', [scored(0.5, 'name: gate'), LEAVES_A_TRACE]],
    ['deeper', [scored(0.5, 'name: gate'), compositeOf('', [compositeOf('', [LEAVES_A_TRACE])], 'name: inner')]],
  ])('skips the other checks if it fails: %s', async (_, children) => {
    const { result, ran } = await traced(compositeOf(GATE, children))
    expect(result).toMatchObject({ score: 0, passed: false })
    expect(result.error).toBeUndefined()
    expect(ran).toBe(false)
    const [other] = result.evaluator_results?.filter(({ name }) => name !== 'gate') ?? []
    expect(other).toMatchObject({ score: null, passed: false, not_run: true, hits: [], misses: [] })
    expect(other?.error).toBeUndefined()
  })

  it('skips the other checks if it cannot be judged', async () => {
    const children = ['{name: gate, type: cost, budget: 1}', LEAVES_A_TRACE]
    const { result, ran } = await traced(compositeOf(GATE, children))
    expect(result).toMatchObject({ score: null, error: { code: 'not-reported' } })
    expect(ran).toBe(false)
  })

  it('ignores errors that a skipped check would have', async () => {
    const slow = '{name: slow, type: regex, value: (a+)+$, flags: i}'
    const [open, closed] = await gradeChecks(
      [compositeOf(GATE, [scored(1, 'name: gate'), slow]), compositeOf(GATE, [scored(0, 'name: gate'), slow])],
      ANSWER,
    )
    expect(open).toMatchObject({ score: null, error: { code: 'regex-too-slow' } })
    expect(closed).toMatchObject({ score: 0 })
    expect(closed?.error).toBeUndefined()
    expect(judgeChecks([closed!])).toEqual({ score: 0, verdict: 'fail' })
  })

  it('can be a composite with a gate', async () => {
    const inner = compositeOf(GATE, [scored(0.2, 'name: gate'), LEAVES_A_TRACE], 'name: inner')
    const { result, ran } = await traced(compositeOf('{type: safety_gate, required: [inner]}', [inner, scored(1)]))
    expect(result.score).toBe(0)
    expect(ran).toBe(false)
    expect(result.evaluator_results?.map(({ not_run }) => not_run)).toEqual([undefined, true])
  })
})

describe('a missed required child fails the test', () => {
  it.each<[what: string, checks: string[], score: number, verdict: string]>([
    ['at the mark', [compositeOf('maximum', 'a=0.5!0.5 b=1')], 1, 'pass'],
    ['below it', [compositeOf('maximum', 'a=0.45!0.5 b=1')], 1, 'fail'],
    ['below it, with the weight 0', [compositeOf('', 'a=0*0!0.5 b=1')], 1, 'fail'],
    ['nested, with another check', [compositeOf('', 'a=0!0.8 b=1'), scored(1, 'weight: 9')], 0.95, 'fail'],
    ['below it, inside a negated composite', [compositeOf('', 'a=0!0.8', 'negate: true')], 1, 'pass'],
    ['below it, by its own negate', [compositeOf('maximum', 'a=1!0.8~ b=1')], 1, 'fail'],
    ['above it, by its own negate', [compositeOf('maximum', 'a=0!0.8~ b=1')], 1, 'pass'],
    ['above its own, though below 0.8', [compositeOf('maximum', 'a=0.3!0.3 b=1')], 1, 'pass'],
    [
      'three deep',
      [compositeOf('maximum', [compositeOf('maximum', [compositeOf('maximum', 'a=0!0.8 b=1')])])],
      1,
      'fail',
    ],
    ['the composite itself', [compositeOf('', 'a=0 b=1', 'required: 0.6'), scored(1, 'weight: 9')], 0.95, 'fail'],
    ['the composite itself, kept', [compositeOf('', 'a=0 b=1', 'required: 0.5'), scored(1, 'weight: 9')], 0.95, 'pass'],
  ])('%s', async (_, checks, score, verdict) => {
    const judged = judgeChecks(await gradeChecks(checks, ANSWER))
    expect(judged.score).toBeCloseTo(score, 9)
    expect(judged.verdict).toBe(verdict)
  })

  it.each<[what: string, other: string]>([
    ['directly', scored(1, 'name: other, required: 0.8')],
    ['in a skipped composite', compositeOf('', [scored(1, 'required: 0.8')], 'name: other')],
  ])('also if it was skipped behind a closed gate: %s', async (_, other) => {
    const gated = compositeOf(GATE, [scored(0, 'name: gate'), other])
    const results = await gradeChecks([gated, scored(1, 'weight: 9')], ANSWER)
    expect(results[0]?.evaluator_results?.[1]).toMatchObject({ not_run: true, passed: false })
    expect(judgeChecks(results)).toEqual({ score: 0.9, verdict: 'fail' })
  })

  it('an error stays an error if a required child was missed', async () => {
    const results = await gradeChecks([compositeOf('maximum', 'a=0!0.8 e=?')], ANSWER)
    expect(judgeChecks(results)).toEqual({ score: null, verdict: 'error' })
  })

  it('also in a run', async () => {
    const check = (value: string, more: object = {}) => ({ type: 'contains', value, ...more })
    const highest = (...evaluators: object[]) => [{ type: 'composite', aggregator: 'maximum', evaluators }]
    const tests = [
      { id: 'kept', assert: highest(check('ok', { required: true }), check('no')) },
      { id: 'missed', assert: highest(check('ok'), check('no', { required: true })) },
      { id: 'deep', assert: highest(...highest(check('ok'), check('no', { required: 0.5 })), check('ok')) },
      { id: 'unknown', assert: highest(check('ok'), { type: 'cost', budget: 1 }) },
    ]
    const folder = evalFolder(
      tests.map(test => ({ input: 'Hi', ...test })),
      [{ name: 'default', provider: 'mock', response: 'ok' }],
    )
    const { results, code } = await evaluate(folder)
    expect([...results.values()].map(({ test_id, score, verdict }) => [test_id, score, verdict])).toEqual([
      ['kept', 1, 'pass'],
      ['missed', 1, 'fail'],
      ['deep', 1, 'fail'],
      ['unknown', null, 'error'],
    ])
    // Unjudged outranks failed.
    expect(code).toBe(3)
  })
})

/** A child with a fixed grade. */
interface Child {
  readonly name: string
  readonly score: number
  readonly weight: number
}

async function scoreOf(evaluators: readonly Child[], aggregator: object): Promise<number> {
  const context = {
    grade: (child: Check) => ({ ...child, hits: [], misses: [] }),
    skip: (child: Check) => ({ ...child, score: null, hits: [], misses: [] }),
  } as unknown as GradeContext
  const grade = composite.grade?.({ evaluators, aggregator } as never, {} as Subject, context)
  return ((await grade) as Grade).score
}

describe('for any scores', () => {
  const share = fc.oneof(fc.constantFrom(0, 1, 0.8, 0.6), fc.double({ min: 0, max: 1, noNaN: true }))
  const children = fc
    .array(fc.record({ score: share, weight: fc.double({ min: 0.01, max: 100, noNaN: true }) }), {
      minLength: 1,
      maxLength: 6,
    })
    .map((list): Child[] => list.map((child, index) => ({ ...child, name: `c${index}` })))
  const aggregators = fc.constantFrom<object>(
    { type: 'weighted_average' },
    { type: 'weighted_average', weights: { c0: 3 } },
    { type: 'minimum' },
    { type: 'maximum' },
    { type: 'safety_gate', required: ['c0'], threshold: 0.6 },
    { type: 'all_or_nothing', threshold: 0.8 },
    { type: 'threshold', threshold: 0.5 },
  )

  it('the order of the children does not matter, and results are stable', async () => {
    await fc.assert(
      fc.asyncProperty(children, aggregators, fc.nat(5), async (list, aggregator, by) => {
        const score = await scoreOf(list, aggregator)
        const turned = [...list.slice(by), ...list.slice(0, by)]
        expect(await scoreOf(list, aggregator)).toBe(score)
        expect(await scoreOf(turned, aggregator)).toBeCloseTo(score, 8)
        expect(await scoreOf(turned.toReversed(), aggregator)).toBeCloseTo(score, 8)
      }),
    )
  })

  it('duplicated children give the same score', async () => {
    await fc.assert(
      fc.asyncProperty(children, aggregators, async (list, aggregator) => {
        fc.pre(!('weights' in aggregator))
        const twice = [...list, ...list.map(child => ({ ...child, name: `${child.name}-2` }))]
        expect(await scoreOf(twice, aggregator)).toBeCloseTo(await scoreOf(list, aggregator), 8)
      }),
    )
  })

  it('the score is between 0 and the highest one', async () => {
    await fc.assert(
      fc.asyncProperty(children, aggregators, async (list, aggregator) => {
        fc.pre((aggregator as { type: string }).type !== 'threshold')
        const score = await scoreOf(list, aggregator)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(Math.min(1, Math.max(...list.map(child => child.score)) + 1e-9))
      }),
    )
  })
})

it('the same checks in another order give the same results', async () => {
  const children = ['a=0.3*2', 'b=0.9', 'c=0.85!0.8', 'd=0.2~']
  const test = await loadTest([
    compositeOf('', children.join(' ')),
    compositeOf('', children.toReversed().join(' ')),
    compositeOf('', [2, 0, 3, 1].map(index => children[index]).join(' ')),
  ])
  const first = await gradeTest(test, ANSWER)
  const again = await gradeTest(test, ANSWER)
  expect(first.map(({ score }) => score)).toEqual([0.63, 0.63, 0.63])
  const timeless = (results: typeof first) =>
    JSON.parse(JSON.stringify(results, (key, value) => (key === 'duration_ms' ? 0 : value)))
  expect(timeless(again)).toEqual(timeless(first))
})
