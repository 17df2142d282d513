import { expect, it } from 'vitest'
import { mock } from '../../src/providers/mock.ts'

it.each<[string, Parameters<NonNullable<NonNullable<typeof mock.execution>['isImmediate']>>[0], boolean]>([
  ['one answer', { response: 'Hello!' }, true],
  ['answers by pattern', { responses: [{ pattern: 'a', response: 'b' }] }, true],
  [
    'an answer with a delay',
    {
      responses: [
        { pattern: 'a', response: 'b' },
        { pattern: 'c', response: 'd', delay_ms: 1 },
      ],
    },
    false,
  ],
])('knows whether %s is immediate', (_, config, isImmediate) => {
  expect(mock.execution?.isImmediate?.(config)).toBe(isImmediate)
})
