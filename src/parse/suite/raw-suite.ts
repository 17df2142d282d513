import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** A suite as it is written, before its keys are looked at. */
export interface RawSuite {
  /** Where the suite is written: the sidecar of a dataset that has one. */
  readonly file: string
  readonly raw: Fields
  readonly at: SourceNode
  /** The tests of a dataset; undefined where the suite says itself where its tests are. */
  readonly lines?: Iterable<RawTest>
  /** The dataset that was named, where the suite beside it has tests of its own. */
  readonly dataset?: string
  /** False in a format that has no `criteria`. */
  readonly needsCriteria?: false
  /** What to add to a test that nothing grades, in the words of another format. Such a test is a warning there. */
  readonly gradedBy?: string
}

/** A test as it is written, and where. */
export interface RawTest {
  readonly raw: unknown
  readonly at: SourceNode
}
