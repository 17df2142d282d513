import { expect } from 'vitest'

/** Expects a relative error of at most this; only 0 is close to 0. */
export function expectClose(actual: number, expected: number, part = 1e-9): void {
  const distance = Math.abs(actual - expected)
  expect(distance <= part * Math.abs(expected), `${actual} instead of ${expected}`).toBe(true)
}
