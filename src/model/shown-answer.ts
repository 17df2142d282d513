import type { FileChange } from './changes.ts'

/** What a person sees who labels an answer. It does not show who gave it, or what the judge says of it. */
export interface ShownAnswer {
  readonly question: string
  readonly answer: string
  readonly criteria?: string | undefined
  /** The note of the test, for those who judge. */
  readonly note?: string | undefined
  readonly expected?: string | undefined
  /** The checks in words. */
  readonly checks: readonly string[]
  /** What the agent changed in its workspace; undefined without one. */
  readonly changes?: readonly FileChange[] | undefined
  /** The tool calls in order, if a check is about them. */
  readonly calls?: readonly string[] | undefined
}

/** What a person can say of an answer by a key or a button. */
export const LABELS = ['pass', 'fail', 'unsure'] as const

export type GivenLabel = (typeof LABELS)[number]

/** The label that a person gave before. */
export interface EarlierLabel {
  /** A number from 0 to 1 comes from another program. */
  readonly label: GivenLabel | number
  readonly note?: string | undefined
}

/** The longest note in characters. */
export const LONGEST_NOTE = 2000

/** The page at a position of the sample: its answer, and what is left. */
export interface LabelPage {
  /** Position in the sample, from 1. */
  readonly number: number
  /** Number of answers in the sample. */
  readonly of: number
  /** How many answers of the sample the person has labelled. */
  readonly labelled: number
  readonly by: string
  readonly shown: ShownAnswer
  readonly earlier?: EarlierLabel | undefined
}
