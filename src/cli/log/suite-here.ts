import { join } from 'node:path'
import { expectation } from '../../evaluators/shared/model-judges/expectation.ts'
import type { Check } from '../../model/check.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'

/** The current folder as a suite: from there targets are found, and there programs run. */
export function suiteHere(host: Host): Suite {
  const file = join(host.cwd, 'log')
  const at: Origin = {
    file,
    child: () => at,
    location: () => ({ file, line: 1, column: 1, length: 1 }),
    line: () => 1,
    written: () => undefined,
  }
  const empty = { description: undefined, metadata: {}, tags: [], execution: {}, tests: [] }
  return { name: 'log', version: '1.0', file, at, ...empty }
}

/** A test such as all turns are, so that what they need is found. */
export function testHere({ at }: Suite, checks: readonly Check[]): Test {
  const empty = { number: undefined, input: [], expected_output: '', execution: {}, metadata: {}, tags: [] }
  return { id: 'log', checks, at, ...empty }
}

/** The check of a turn of which something is expected. */
export function expectationHere({ at }: Suite): Check {
  return {
    evaluator: expectation,
    type: expectation.type,
    name: expectation.type,
    written_name: undefined,
    weight: 1,
    required: undefined,
    negate: false,
    description: undefined,
    config: {},
    files: new Map(),
    at,
  }
}
