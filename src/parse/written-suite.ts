import type { Fields } from './keys.ts'
import type { SourceNode } from './source-node.ts'
import type { WrittenTest } from './written-test.ts'

/** A suite as it is written, before its keys are looked at. */
export interface SuiteFile {
  /** Where the suite is written: the sidecar of a dataset that has one. */
  readonly file: string
  readonly raw: Fields
  readonly at: SourceNode
  /** The tests of a dataset; undefined where the suite says itself where its tests are. */
  readonly lines?: Iterable<WrittenTest>
  /** The dataset that was named, where the suite beside it has tests of its own. */
  readonly dataset?: string
  /** False in a format that has no `criteria`. */
  readonly needsCriteria?: false
  /** What to add to a test that nothing grades, in the words of another format. Such a test is a warning there. */
  readonly gradedBy?: string
}
