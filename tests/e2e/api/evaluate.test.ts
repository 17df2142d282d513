import { dump } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Answer,
  defineEvaluator,
  defineProvider,
  evaluate,
  type Grade,
  NoAnswer,
  type Result,
} from '../../../src/index.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const shout = defineProvider({
  type: 'shout',
  config: z.strictObject({ mark: z.string().default('!') }),
  async answer({ mark }, { messages, test_id }, { signal }): Promise<Answer> {
    signal.throwIfAborted()
    if (test_id === 'mute') throw new NoAnswer('target-error', 'I have no voice')
    const said = messages.flatMap(({ content = [] }) => content.map(({ value }) => String(value))).join(' ')
    return { text: `${said.toUpperCase()}${mark}`, cost_usd: 0.01 }
  },
})

const endsLoud = defineEvaluator({
  type: 'ends_loud',
  config: z.strictObject({ marks: z.int().default(1) }),
  grade: ({ marks }, { answer }) => {
    const found = /!*$/.exec(answer.text)?.[0].length ?? 0
    return { score: Math.min(1, found / marks), hits: [], misses: found < marks ? [`only ${found}`] : [] }
  },
})

function suiteFolder(tests: object[], target: object = {}): string {
  return folderWith({
    'EVAL.yaml': dump({ name: 'api', tests }),
    'targets.yaml': dump({ targets: [{ name: 'default', provider: 'shout', ...target }] }),
  })
}

const loud = (id: string, check: object) => ({ id, criteria: 'Is loud', input: 'hi', assert: [check] })

describe('evaluate()', () => {
  it('runs with custom providers and evaluators, and writes records', async () => {
    const cwd = suiteFolder([
      loud('one', { type: 'ends_loud' }),
      loud('four', { type: 'ends_loud', marks: 4 }),
      loud('mute', { type: 'contains', value: 'HI' }),
    ])
    const seen: Result[] = []
    const { run, diagnostics } = await evaluate({
      cwd,
      providers: [shout],
      evaluators: [endsLoud],
      onResult: result => seen.push(result),
    })
    expect(diagnostics).toEqual([])
    expect(run?.outcome.counts).toEqual({ pass: 1, borderline: 0, fail: 1, error: 1 })
    expect(run?.outcome.cost_usd).toBeCloseTo(0.02)
    const results = [...(run?.results() ?? [])]
    expect(results.map(({ test_id, score, answer }) => [test_id, score, answer])).toEqual([
      ['one', 1, 'HI!'],
      ['four', 0.25, 'HI!'],
      ['mute', null, null],
    ])
    expect(results[1]?.misses).toEqual(['only 1'])
    expect(results[2]?.error).toEqual({ code: 'target-error', stage: 'answer', message: 'I have no voice' })
    expect(seen.map(({ test_id }) => test_id).sort()).toEqual(['four', 'mute', 'one'])
    expect(run?.folder.startsWith(cwd)).toBe(true)
  })

  it('returns diagnostics and no run for an invalid suite', async () => {
    const cwd = suiteFolder([loud('one', { type: 'ends_loud', marks: 'many' })], { mrak: '?' })
    const { run, diagnostics } = await evaluate({ cwd, providers: [shout], evaluators: [endsLoud] })
    expect(run).toBeUndefined()
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([['wrong-type', 8]])
    const good = suiteFolder([loud('one', { type: 'ends_loud' })], { mrak: '?' })
    const second = await evaluate({ cwd: good, providers: [shout], evaluators: [endsLoud] })
    expect(second.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([['unknown-key', 'did you mean `mark`?']])
  })

  it('records an exception of an evaluator as a bug, and runs the other tests', async () => {
    const broken = defineEvaluator({
      type: 'broken',
      config: z.strictObject({}),
      grade: () => {
        throw new TypeError('oops')
      },
    })
    const cwd = suiteFolder([loud('one', { type: 'broken' }), loud('two', { type: 'ends_loud' })])
    const { run } = await evaluate({ cwd, providers: [shout], evaluators: [endsLoud, broken] })
    expect(run?.outcome).toMatchObject({ has_bug: true, counts: { pass: 1, error: 1 } })
  })

  it.each([
    ['a score that is not a number', { score: Number.NaN }, '`score`: it must be a number, found NaN'],
    ['a score above 1', { score: 1.5 }, '`score`: it must be at most 1'],
    ['hits that are not texts', { hits: [5] }, '`hits[0]`: it must be a string, found a number'],
    ['a reasoning that is not a text', { reasoning: 5 }, '`reasoning`: it must be a string, found a number'],
    ['details that are no JSON', { details: { size: 1n } }, '`details`: Do not know how to serialize a BigInt'],
    [
      'details that are too deep as JSON',
      { details: { toJSON: () => JSON.parse('['.repeat(600) + ']'.repeat(600)) } },
      '`details`: is nested more than 200 levels deep',
    ],
  ])('records a grade with %s as an error', async (_, more, reason) => {
    const bad = defineEvaluator({
      type: 'bad_grade',
      config: z.strictObject({}),
      grade: () => ({ score: 1, hits: [], misses: [], ...more }) as Grade,
    })
    const cwd = suiteFolder([loud('one', { type: 'bad_grade' }), loud('two', { type: 'contains', value: 'HI' })])
    const { run } = await evaluate({ cwd, providers: [shout], evaluators: [bad] })
    expect(run?.outcome.counts).toEqual({ pass: 1, borderline: 0, fail: 0, error: 1 })
    const [{ error } = {}] = run?.results() ?? []
    const message = `bad_grade: the evaluator \`bad_grade\` returned a grade that cannot be used: ${reason}`
    expect(error).toMatchObject({ code: 'judge-output', message })
    const { stdout } = await assay(['report', 'latest'], { cwd })
    expect(stdout).toContain('2 tests: 1 passed, 1 with errors')
  })

  it('records an answer that is not one as an error', async () => {
    const bad = defineProvider({
      type: 'bad_answer',
      config: z.strictObject({}),
      answer: async () => ({ text: 'HI', cost_usd: Number.NaN }),
    })
    const cwd = suiteFolder([loud('one', { type: 'contains', value: 'HI' })], { provider: 'bad_answer' })
    const { run } = await evaluate({ cwd, providers: [bad] })
    const [{ error } = {}] = run?.results() ?? []
    const message = '`bad_answer` returned an invalid answer at `cost_usd`: it must be a number, found NaN'
    expect(error).toEqual({ code: 'bad-response', stage: 'answer', message })
  })

  it('stops when its signal is aborted', async () => {
    const controller = new AbortController()
    const cwd = suiteFolder(Array.from({ length: 5 }, (_, index) => loud(`t${index}`, { type: 'ends_loud' })))
    const { run } = await evaluate({
      cwd,
      providers: [shout],
      evaluators: [endsLoud],
      workers: 1,
      signal: controller.signal,
      onResult: () => controller.abort(),
    })
    expect(run?.outcome.not_run).toBeGreaterThan(0)
    expect(run?.outcome.counts.pass).toBeGreaterThan(0)
  })
})
