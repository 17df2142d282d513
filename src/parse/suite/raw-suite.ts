import { isMapping } from '../../lib/objects.ts'
import type { Suite } from '../../model/suite.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** A suite as written, before its keys are checked. */
export interface RawSuite {
  /** Path of the suite, or of the sidecar of a dataset. */
  readonly file: string
  readonly raw: Fields
  readonly at: SourceNode
  /** The tests of a dataset; undefined if the suite has its own `tests`. */
  readonly lines?: RawTests
  /** The dataset given as an argument, if the suite beside it has its own `tests`. */
  readonly dataset?: string
  /** Targets that the suite brings, as written. */
  readonly targets?: Suite['targets']
  /** False for formats without `criteria`. */
  readonly needsCriteria?: false
  /** Keys of another format that grade a test, for a hint. There, an ungraded test is a warning. */
  readonly gradedBy?: string
}

/** A test as written, with its node. */
export interface RawTest {
  readonly raw: unknown
  readonly at: SourceNode
}

/** Tests as written, in order. They may be read more than once. */
export interface RawTests extends Iterable<RawTest> {
  /** Whether a test has variables of its own. Default: no. */
  usesVariables?(): boolean
}

/** Whether a test, as written, has variables of its own. */
export function hasVariables(raw: unknown): boolean {
  return isMapping(raw) && (Object.hasOwn(raw, 'vars') || Object.hasOwn(raw, 'rows'))
}
