import { dump } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, defineEvaluator, defineProvider, evaluate, NoAnswer, type Result } from '../../../src/index.ts'
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
