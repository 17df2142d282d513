import { expect, it } from 'vitest'
import * as z from 'zod'
import { firstProblem } from '../../src/lib/zod-problem.ts'
import { judgeOutputSchema } from '../../src/model/judge-protocol.ts'

const problem = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  if (!error) throw new Error('the value is valid')
  const { path, message } = firstProblem(error)
  return `${path}: ${message}`
}

it.each([
  [{ score: 7 }, 'score: it must be at most 1'],
  [{ score: -1 }, 'score: it must be at least 0'],
  [{ score: '1' }, 'score: it must be a number, found a string'],
  [{ score: null }, 'score: it must be a number, found no value'],
  [{ score: true }, 'score: it must be a number, found a boolean'],
  [{ score: Number.NaN }, 'score: it must be a number, found NaN'],
  [{ score: 1, hits: 'good' }, 'hits: it must be a list, found a string'],
  [{ score: 1, hits: [{}] }, 'hits[0]: it must be a string, found a mapping'],
  [{ assertions: [{ passed: true }] }, 'assertions[0].text: it is missing, and must be a string'],
  [{ assertions: [] }, 'score: it is missing, and there are no assertions'],
  [[], ': it must be a mapping, found a list'],
])('describes the first problem in the output of a judge: %j', (value, words) => {
  expect(problem(judgeOutputSchema(), value)).toBe(words)
})

it.each([
  [z.union([z.string(), z.array(z.string())]), 7, ': it must be a string or a list, found a number'],
  [z.union([z.string(), z.array(z.string())]), ['a', 7], '[1]: it must be a string, found a number'],
  [
    z.object({ a: z.union([z.string(), z.object({ b: z.number().min(2) })]) }),
    { a: { b: 1 } },
    'a.b: it must be at least 2',
  ],
  [z.object({ a: z.union([z.string(), z.number()]) }), {}, 'a: it is missing, and must be a string or a number'],
  [z.enum(['x', 'y']), 'z', ': it must be one of x, y'],
  [z.strictObject({}), { a: 1, b: 2 }, ': unknown key `a`, `b`'],
  [z.string().min(1), '', ': it must not be empty'],
  [z.string().min(1, 'say something'), '', ': say something'],
  [z.array(z.string()).max(2), ['', '', ''], ': it must be at most 2 entries long'],
  [z.string().regex(/a/), 'b', ': it has the wrong format'],
  [z.int(), 1.5, ': it must be a whole number'],
  [z.number().gt(0), 0, ': it must be above 0'],
  [z.literal('a'), 1, ': it must be a'],
  [z.union([z.literal('a'), z.number()]), {}, ': it must be `a` or a number, found a mapping'],
  [z.record(z.string().regex(/^a/), z.number()), { b: 1 }, 'b: it has the wrong format'],
])('describes every kind of problem: %#', (schema, value, words) => {
  expect(problem(schema, value)).toBe(words)
})
