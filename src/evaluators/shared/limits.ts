import { z } from 'zod'

/** An upper limit, which may be reached. */
export function limit(description: string) {
  return z.number().min(0).optional().describe(description)
}

/** `at most 1000 in total, 200 output`: the limits that are given. */
export function limitWords(limits: readonly (readonly [number | undefined, string])[]): string {
  const given = limits.flatMap(([value, unit]) => (value === undefined ? [] : [`${value} ${unit}`]))
  return given.length === 0 ? '' : `at most ${given.join(', ')}`
}
