import type { Result } from '../model/result.ts'

/** Why an attempt did not pass: what went wrong, else what its checks missed. */
export function reasonsOf({ error, misses }: Result): string[] {
  return error ? [`${error.code}: ${error.message}`] : misses
}
