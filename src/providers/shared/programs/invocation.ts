import type { Program } from '../../../model/host.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** A program that a target starts. */
export interface Invocation {
  readonly command: readonly string[] | string
  readonly cwd: string
  readonly env: Program['env'] | undefined
  readonly stdin?: string
  readonly onLine?: Program['onLine']
  readonly sandbox?: Sandbox | undefined
}
