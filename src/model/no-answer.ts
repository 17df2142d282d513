/** Why a target gave no answer. */
export const NO_ANSWER_CODES = [
  ...(['timeout', 'network', 'http-status', 'bad-response', 'program-failed', 'program-missing'] as const),
  ...(['output-too-large', 'prompt-too-long', 'bad-prompt', 'empty-answer', 'no-match', 'no-recording'] as const),
  ...(['target-error', 'bad-workspace'] as const),
] as const

export type NoAnswerCode = (typeof NO_ANSWER_CODES)[number]

/** Reasons that come before the agent: a connection, a program or a prompt that was not there. */
const BEFORE_THE_AGENT: readonly NoAnswerCode[] = [
  ...(['network', 'program-missing', 'bad-workspace'] as const),
  ...(['prompt-too-long', 'bad-prompt', 'no-match', 'no-recording'] as const),
]

interface NoAnswerFacts {
  /** Whether asking again may help. */
  readonly retryable?: boolean
  /** How long the other side asks us to wait. */
  readonly retry_after_ms?: number | undefined
  /** Whether the other side said that there were too many calls. */
  readonly overloaded?: boolean
  /** The folder in which the target worked, where it had one of its own. */
  readonly workspace_path?: string | undefined
  /** Whether the agent was never reached, so that this says nothing of it. Default: what the code means. */
  readonly never_reached?: boolean
  /** Whether this is how the target failed before, taken from the cache. */
  readonly cached?: boolean
}

/** A target that gave no answer, in words for people. It is never a score of 0. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code: NoAnswerCode
  readonly retryable: boolean
  readonly retry_after_ms: number | undefined
  readonly overloaded: boolean
  readonly workspace_path: string | undefined
  readonly never_reached: boolean
  readonly cached: boolean

  constructor(code: NoAnswerCode, message: string, facts: NoAnswerFacts = {}) {
    super(message)
    this.code = code
    this.retryable = facts.retryable ?? false
    this.retry_after_ms = facts.retry_after_ms
    this.overloaded = facts.overloaded ?? false
    this.workspace_path = facts.workspace_path
    this.never_reached = facts.never_reached ?? BEFORE_THE_AGENT.includes(code)
    this.cached = facts.cached ?? false
  }
}
