import { compositeKey } from '../lib/collections.ts'

/** Identifies a test of a run: the same for its attempts on all targets. */
export function testIdentity(test: {
  readonly suite: string
  readonly file: string
  readonly test_id: string
}): string {
  return compositeKey(test.suite, test.file, test.test_id)
}
