import type { Arm, Attempt } from '../model/attempt.ts'
import type { Test } from '../model/test.ts'
import { testInArm } from '../model/variant.ts'
import type { Identities } from './identity.ts'

type TestHashes = Pick<Attempt, 'request_id' | 'test_hash' | 'checks_hash' | 'shared_hash'>

/** Hashes a test once, or as each arm asks it if its input has variants. */
export function armHashes(
  { suite, test, threshold }: Pick<Attempt, 'suite' | 'test' | 'threshold'>,
  /** What the checks compare with besides the test itself. */
  compared: string,
  identities: Identities,
): (arm: Arm) => TestHashes {
  const hashesOf = (asked: Test) => {
    const request_id = identities.request(suite, asked)
    const { test_hash, checks_hash } = identities.test(suite, asked, { request_id, threshold }, compared)
    return { request_id, test_hash, checks_hash }
  }
  const shared = hashesOf(test.data ? { ...test, input: test.data } : test)
  return arm =>
    arm.variant === undefined ? shared : { ...hashesOf(testInArm(test, arm)), shared_hash: shared.test_hash }
}
