import type { Mark } from './mark.ts'
import type { Result } from './result.ts'
import type { Suite } from './suite.ts'
import type { Target } from './target.ts'
import type { Test } from './test.ts'

/** A target of a test. Where one is the control arm, the others are compared with it. */
export interface Arm {
  readonly target: Target
  /** Whether it is the control arm of the test. */
  readonly is_control?: true | undefined
  /** The only targets that a control arm is compared with; undefined: all others of the test. */
  readonly control_of?: ControlOf | undefined
  /** The variant of the suite whose input it gets. */
  readonly variant?: string | undefined
}

/** One target, or several. */
export type ControlOf = string | readonly string[]

/** Whether an arm is the control arm of a target of the same test. */
export function isControlOf(
  {
    is_control,
    control_of,
  }: { readonly is_control?: boolean | undefined; readonly control_of?: ControlOf | undefined },
  target: string,
): boolean {
  if (is_control !== true || control_of === undefined) return is_control === true
  return typeof control_of === 'string' ? control_of === target : control_of.includes(target)
}

/** Part of every hash of a test; a new version changes all identities. */
export const IDENTITY_VERSION = 2

/** One trial of a test on a target. */
export interface Attempt extends Arm {
  /** A hash of test, target and trial. */
  readonly id: string
  /** Position in the plan, from 0. */
  readonly index: number
  readonly suite: Suite
  readonly test: Test
  /** From 1. */
  readonly trial: number
  /** Number among equal tests in suites of the same name, from 1. */
  readonly occurrence: number
  /** A hash of the prompt. */
  readonly request_id: string
  /** A hash of the prompt and the checks, the same on every target, but not in every variant. */
  readonly test_hash: string
  /** For a variant: a hash of the test without its input, the same in every variant. */
  readonly shared_hash?: string | undefined
  /** A hash of the checks alone. */
  readonly checks_hash: string
  /** A hash of the target as written, with the content of its files. */
  readonly target_hash: string
  /** A hash of the targets that judge the answer; empty if there are none. */
  readonly judges_hash: string
  /** Number of the rerun, from 1; undefined in the first run. */
  readonly rerun?: number | undefined
  /** Whether a rerun added the attempt, because another trial had failed. */
  readonly added?: true | undefined
  /** Lowest score that passes; undefined: the default marks count. */
  readonly threshold?: number | undefined
  /** The mark of the test, which is not part of its identity. */
  readonly mark?: Mark | undefined
}

/** Counts tests times targets. Trials of a test are adjacent in a plan. */
export function countTests(attempts: readonly Pick<Attempt, 'test' | 'target'>[]): number {
  let count = 0
  let last: Pick<Attempt, 'test' | 'target'> | undefined
  for (const attempt of attempts) {
    if (attempt.test !== last?.test || attempt.target !== last.target) count++
    last = attempt
  }
  return count
}

/** Progress of a run, for observers. */
export type RunEvent =
  | { readonly type: 'started'; readonly attempt: Attempt }
  | {
      readonly type: 'waiting'
      readonly attempt: Attempt
      /** The target of the attempt, or a judge. */
      readonly target: string
      readonly ms: number
      readonly reason: string
    }
  | { readonly type: 'warning'; readonly attempt: Attempt; readonly message: string }
  | { readonly type: 'finished'; readonly attempt: Attempt; readonly result: Result }
  | { readonly type: 'given-up'; readonly attempt: Attempt; readonly reason: 'stopped' | 'budget' }
