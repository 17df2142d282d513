import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineEvaluator } from '../../src/evaluators/define-evaluator.ts'
import { evaluators } from '../../src/evaluators/index.ts'

const grade = () => ({ score: 1, hits: [], misses: [] })

describe('the schema of an evaluator', () => {
  it('is made when it is first asked for, and only once', () => {
    let made = 0
    const config = () => z.strictObject({ least: z.number().min(++made) })
    const evaluator = defineEvaluator({ type: 'mine', config, grade })
    expect(made).toBe(0)
    expect(evaluator.config()).toBe(evaluator.config())
    expect(made).toBe(1)
  })

  it('may be given as it is', () => {
    const config = z.strictObject({ least: z.number() })
    const evaluator = defineEvaluator({ type: 'mine', config, grade })
    expect(evaluator.config()).toBe(config)
    expect(evaluator.contains_checks).toBeUndefined()
  })

  it('contains checks if it is made from their schema', () => {
    const evaluator = defineEvaluator({
      type: 'mine',
      config: check => z.strictObject({ evaluators: z.array(check) }),
      grade,
    })
    expect(evaluator.contains_checks).toBe(true)
    expect(evaluator.config(z.string() as never).safeParse({ evaluators: [1] }).success).toBe(false)
    expect(evaluator.config().safeParse({ evaluators: [1] }).success).toBe(true)
  })
})

it('only composites contain checks', () => {
  expect(evaluators.filter(({ contains_checks }) => contains_checks).map(({ type }) => type)).toEqual(['composite'])
})
