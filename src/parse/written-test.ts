import type { SourceNode } from './source-node.ts'

/** A test as it is written, and where. */
export interface WrittenTest {
  readonly raw: unknown
  readonly at: SourceNode
}
