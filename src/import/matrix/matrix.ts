import type { Written } from '../written.ts'
import type { MatrixDialect } from './dialect.ts'
import type { GraderTargets } from './graders.ts'
import type { MatrixTest } from './matrix-tests.ts'
import type { Programs } from './programs.ts'
import type { Prompt } from './prompts.ts'
import type { MatrixTarget } from './providers.ts'

/** A configuration that was read, and what its suite needs. */
export interface Matrix {
  readonly config: Written
  readonly defaults: Written | undefined
  readonly targets: readonly MatrixTarget[]
  readonly prompts: readonly Prompt[]
  /** Whether some prompts could not be imported. */
  readonly lost_prompts: boolean
  readonly tests: readonly MatrixTest[]
  readonly programs: Programs
  readonly graders: GraderTargets
  readonly dialect: MatrixDialect
}
