import { resolve } from 'node:path'
import { compositeKey } from '../../lib/collections.ts'
import type { BaselineTest } from '../../model/baseline.ts'
import type { Host } from '../../model/host.ts'

/** What a plan or a run has looked at. Paths start at `root`. */
export interface Coverage {
  readonly root: string
  readonly suites: ReadonlySet<string>
  /** Undefined for all. */
  readonly targets: ReadonlySet<string> | undefined
  /** Files of suites and of tests. */
  readonly files: ReadonlySet<string>
  /** Tests that are still there, though they do not run. */
  readonly skipped: readonly Pick<BaselineTest, 'suite' | 'file' | 'test_id'>[]
}

/** Tells which saved tests are gone if a plan or a run does not have them: others may be in suites that it left out. */
export async function coverageOf(
  { root, suites, targets, files, skipped }: Coverage,
  saved: readonly BaselineTest[],
  host: Host,
): Promise<(test: BaselineTest) => boolean> {
  const missing = new Set<string>()
  for (const file of new Set(saved.map(test => test.file))) {
    const stat = await host.files.stat(resolve(root, file)).catch(() => undefined)
    if (!stat) missing.add(file)
  }
  const keyOf = ({ suite, test_id }: Coverage['skipped'][number], file: string) => compositeKey(suite, test_id, file)
  const left = new Set(skipped.map(test => keyOf(test, test.file)))
  const names = new Set(skipped.map(test => keyOf(test, '')))
  // A skipped test may have been moved.
  const isSkipped = (test: BaselineTest) =>
    left.has(keyOf(test, test.file)) || (missing.has(test.file) && names.has(keyOf(test, '')))
  return test => {
    const { suite, target, file } = test
    const isCovered = suites.has(suite) && (targets?.has(target) ?? true) && (files.has(file) || missing.has(file))
    return isCovered && !isSkipped(test)
  }
}
