import { nodeHost } from '../../src/host/node.ts'
import type { Baseline, BaselineTest } from '../../src/model/baseline.ts'
import { writeBaseline } from '../../src/record/baseline-file.ts'

/** A saved result; missing fields are those of a passed test. */
export function savedTest(test: Partial<BaselineTest> = {}): BaselineTest {
  return {
    suite: 'suite',
    test_id: 'a',
    target: 'default',
    verdict: 'pass',
    passed: 1,
    attempts: 1,
    errors: 0,
    score: 1,
    scores: [1],
    file: 'EVAL.yaml',
    run: 'run-1',
    test_hash: 'test',
    input_hash: 'input',
    checks_hash: 'checks',
    target_hash: 'target',
    ...test,
  }
}

export function baselineWith(tests: readonly BaselineTest[], more: Partial<Baseline> = {}): Baseline {
  return { assay_baseline: 1, identity_version: 2, targets: [], files: {}, tests: [...tests], ...more }
}

/** Writes a baseline as `assay baseline save` does. */
export async function writeTo(path: string, baseline: Baseline): Promise<void> {
  await writeBaseline(path, baseline, nodeHost(process.cwd()))
}
