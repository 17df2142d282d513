import { wildcard } from '../lib/patterns.ts'

/** Selects tests; empty for all of them. */
export interface TestFilter {
  /** Ids of tests, with the wildcards `*` and `?`. */
  readonly test_ids?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
}

/** Whether a test has one of the ids and one of the tags. */
export function testMatcher({
  test_ids = [],
  tags = [],
}: TestFilter): (test: { readonly id: string; readonly tags: readonly string[] }) => boolean {
  const patterns = test_ids.map(wildcard)
  return test =>
    (patterns.length === 0 || patterns.some(pattern => pattern.test(test.id))) &&
    (tags.length === 0 || test.tags.some(tag => tags.includes(tag)))
}

/** Whether a filter selects anything but all tests. */
export function isFilter({ test_ids = [], tags = [] }: TestFilter): boolean {
  return test_ids.length + tags.length > 0
}

/** The options that select the same tests: `--test-id greets, --tag smoke`. */
export function filterText({ test_ids = [], tags = [] }: TestFilter): string {
  return [...test_ids.map(id => `--test-id ${id}`), ...tags.map(tag => `--tag ${tag}`)].join(', ')
}
