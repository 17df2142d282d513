import { compositeKey, groupBy } from '../lib/collections.ts'
import { quoteCode } from '../lib/text/quote.ts'
import type { Attempt } from '../model/attempt.ts'
import type { BaselineTest } from '../model/baseline.ts'

/** An attempt with the recorded path of its test. */
interface LocatedAttempt {
  readonly attempt: Attempt
  readonly file: string
}

/** Finds the saved results of planned tests, each at most once. */
export class KnownTests {
  readonly #byName: Map<string, BaselineTest[]>
  readonly #targets: ReadonlySet<string>
  #unmatched: readonly BaselineTest[]

  constructor(tests: readonly BaselineTest[]) {
    this.#byName = groupBy(tests, ({ suite, test_id, target }) => compositeKey(suite, test_id, target))
    this.#targets = new Set(tests.map(({ target }) => target))
    this.#unmatched = tests
  }

  /** The saved result of each test: by name, and among tests of one name by file, else by content. */
  match(tests: readonly LocatedAttempt[]): (BaselineTest | undefined)[] {
    const found = new Map<LocatedAttempt, BaselineTest>()
    const taken = new Set<BaselineTest>()
    const take = (isSame: (known: BaselineTest, test: LocatedAttempt) => boolean) => {
      for (const test of tests) {
        if (found.has(test)) continue
        const known = this.#named(test.attempt).find(each => !taken.has(each) && isSame(each, test))
        if (!known) continue
        found.set(test, known)
        taken.add(known)
      }
    }
    take((known, { file }) => known.file === file)
    take((known, { attempt }) => known.test_hash === attempt.test_hash)
    // A suite that was moved and edited; several of one name cannot be told apart.
    const counts = groupBy(tests, ({ attempt }) => nameOf(attempt))
    take((_, { attempt }) => this.#named(attempt).length === 1 && counts.get(nameOf(attempt))?.length === 1)
    this.#unmatched = this.#unmatched.filter(test => !taken.has(test))
    return tests.map(test => found.get(test))
  }

  /** Says why a test has no saved result. */
  newText(attempt: Attempt): string {
    if (!this.#targets.has(attempt.target.name)) return `new target ${attempt.target.name}`
    const before = this.#unmatched.find(known => isRenamed(known, attempt))
    return before ? `new test, renamed from ${quoteCode(before.test_id)}` : 'new test'
  }

  #named(attempt: Attempt): readonly BaselineTest[] {
    return this.#byName.get(nameOf(attempt)) ?? []
  }
}

function nameOf({ suite, test, target }: Attempt): string {
  return compositeKey(suite.name, test.id, target.name)
}

function isRenamed(known: BaselineTest, { suite, test, target, request_id, checks_hash }: Attempt): boolean {
  const isSamePlace = known.suite === suite.name && known.target === target.name && known.test_id !== test.id
  return isSamePlace && known.input_hash === request_id && known.checks_hash === checks_hash
}
