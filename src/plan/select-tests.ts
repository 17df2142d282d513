import { wildcard } from '../lib/wildcard.ts'
import type { Suite } from '../model/suite.ts'
import type { Test } from '../model/test.ts'

export interface Filter {
  /** Ids, in which `*` and `?` stand for anything. */
  readonly test_ids?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
}

/** The tests that a filter lets through, suite by suite; suites without any are left out. */
export function selectTests(suites: readonly Suite[], { test_ids = [], tags = [] }: Filter) {
  const patterns = test_ids.map(wildcard)
  const isSelected = (test: Test) =>
    (patterns.length === 0 || patterns.some(pattern => pattern.test(test.id))) &&
    (tags.length === 0 || test.tags.some(tag => tags.includes(tag)))
  return suites.map(suite => ({ suite, tests: suite.tests.filter(isSelected) })).filter(({ tests }) => tests.length > 0)
}
