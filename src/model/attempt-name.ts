import { onOneLine } from '../lib/printable.ts'
import type { Result } from './result.ts'

/** An attempt as people see it: `greets on default trial 2`. */
export function attemptName({ test_id, target, trial }: Pick<Result, 'test_id' | 'target' | 'trial'>): string {
  return `${onOneLine(test_id)} on ${onOneLine(target)}${trial > 1 ? ` trial ${trial}` : ''}`
}
