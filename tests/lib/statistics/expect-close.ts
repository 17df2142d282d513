import { expect } from 'vitest'

/** No further from what is expected than this part of it; nothing but 0 is close to 0. */
export function expectClose(actual: number, expected: number, part = 1e-9): void {
  const distance = Math.abs(actual - expected)
  expect(distance <= part * Math.abs(expected), `${actual} instead of ${expected}`).toBe(true)
}
