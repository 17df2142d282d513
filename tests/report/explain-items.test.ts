import { describe, expect, it } from 'vitest'
import type { EvaluatorResult, RubricItem } from '../../src/model/evaluator-result.ts'
import type { Result } from '../../src/model/result.ts'
import { judgeChecks } from '../../src/model/verdict.ts'
import { explainAttempt } from '../../src/report/explain.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'

/** Explains an attempt, without the lines of its name and input. */
function explained(checks: readonly EvaluatorResult[]): string {
  const facts = { test_id: 'a', target: 'default', trial: 1, file: 'EVAL.yaml', line: 1, input: ['Hi'], answer: null }
  const result = { ...facts, ...judgeChecks(checks), evaluator_results: checks } as Result
  return explainAttempt(result, file => file).replace(/^.*\n.*\n/, '')
}

const RUBRICS = [
  '{id: name, outcome: Says the name, required: true}',
  '{id: short, outcome: Is short, weight: 2}',
  '{id: kind, score_ranges: {0: Is rude, 10: Is kind}, weight: 0.5, required: true}',
]
const CHECK = `type: rubrics, rubrics: [${RUBRICS.join(', ')}]`
const reply = (name: boolean, short: boolean, kind: number) =>
  JSON.stringify({
    items: [
      { id: 'name', satisfied: name, reasoning: 'It is Alice.' },
      { id: 'short', satisfied: short, reasoning: 'Two\nlines.' },
      { id: 'kind', score: kind, reasoning: '' },
    ],
  })

async function judged(check: string, reply: string): Promise<string> {
  return explained((await judgedBy([check], [reply])).results)
}

describe('explain shows the items of a judge', () => {
  it('on one line each, with reasoning and sum', async () => {
    expect(await judged(`{${CHECK}}`, reply(true, false, 7))).toBe(`└─ rubrics: 0.3857 × 1
     Says the name; Is short; Is kind
     + satisfied: Says the name — It is Alice. (name, required)
     - not satisfied: Is short — Two↵lines. (short, weight 2)
     + 7 of 10 (at least 5 required): Is kind (kind, weight 0.5, required)
     score = (1 × 1 + 0 × 2 + 0.7 × 0.5) / 3.5 = 0.3857
score = (0.3857 × 1) / 1 = 0.3857
verdict: fail (pass from 0.8, borderline from 0.6)
`)
  })

  it('with the required ones that were missed', async () => {
    const text = await judged(`{${CHECK}}`, reply(false, true, 4.5))
    expect(text).toContain('     - not satisfied: Says the name — It is Alice. (name, required: missed)\n')
    expect(text).toContain('     + satisfied: Is short — Two↵lines. (short, weight 2)\n')
    expect(text).toContain('     - 4.5 of 10 (at least 5 required): Is kind (kind, weight 0.5, required: missed)\n')
    expect(text).toContain('verdict: fail (a required check was missed: rubrics)\n')
  })

  it('with an inverted score for a negated check', async () => {
    const text = await judged(`{${CHECK}, negate: true}`, reply(true, false, 7))
    expect(text).toContain('└─ rubrics: 0.6143 × 1\n')
    expect(text).toContain('     score = 1 - (1 × 1 + 0 × 2 + 0.7 × 0.5) / 3.5 = 0.6143\n')
    expect(text.match(/name/g)).toHaveLength(3)
  })

  it('inside other checks', async () => {
    const text = await judged(`{type: composite, evaluators: [{${CHECK}}]}`, reply(true, true, 10))
    expect(text).toBe(`└─ composite: 1 × 1
     ${/^ {5}(.*)$/m.exec(text)?.[1]}
     = weighted_average: (1 × 1) / 1
   └─ rubrics: 1 × 1
        Says the name; Is short; Is kind
        + satisfied: Says the name — It is Alice. (name, required)
        + satisfied: Is short — Two↵lines. (short, weight 2)
        + 10 of 10 (at least 5 required): Is kind (kind, weight 0.5, required)
        score = (1 × 1 + 1 × 2 + 1 × 0.5) / 3.5 = 1
score = (1 × 1) / 1 = 1
verdict: pass (pass from 0.8, borderline from 0.6)
`)
  })

  const item = (more: Partial<RubricItem> = {}): RubricItem => ({
    id: 'a',
    text: 'Is kind',
    satisfied: true,
    weight: 1,
    required: false,
    passed: true,
    reasoning: 'Yes.',
    ...more,
  })
  const check = (more: Partial<EvaluatorResult>): EvaluatorResult => ({
    ...{ name: 'own', type: 'own', text: 'Own', score: 1, weight: 1, required: null, passed: true },
    ...{ hits: [], misses: [], line: 1, duration_ms: 0 },
    ...more,
  })

  it('with other findings of the check', () => {
    const text = explained([
      check({
        items: [item()],
        hits: ['Is kind', 'Is kind (very)'],
        misses: ['Is long'],
        reasoning: 'All in all.',
      }),
    ])
    expect(text).toContain(`     + satisfied: Is kind — Yes. (a)
     score = (1 × 1) / 1 = 1
     + Is kind (very)
     - Is long
     = All in all.
`)
  })

  it('without a sum that differs from the score', () => {
    const lines = (more: Partial<EvaluatorResult>) => explained([check(more)]).match(/^ +score = .*$/gm)
    expect(lines({ score: 0.9, items: [item()] })).toBeNull()
    expect(lines({ items: [item({ weight: 0 })] })).toBeNull()
    expect(lines({ items: [] })).toBeNull()
    expect(lines({ score: null, items: [item()], error: { code: 'bug', message: 'Oh' } })).toBeNull()
    expect(lines({ score: 0.5, items: [item(), item({ satisfied: false })] })).toEqual([
      '     score = (1 × 1 + 0 × 1) / 2 = 0.5',
    ])
  })

  it('without control characters or forged lines', () => {
    const text = explained([check({ items: [item({ id: 'a\u001b[2J\nb', reasoning: '\u202e\r\nscore = 1' })] })])
    expect(text).toContain('     + satisfied: Is kind — \ufffd␍↵score = 1 (a␛[2J↵b)\n')
  })
})
