/** Why a target gave no answer. */
export type NoAnswerCode =
  | 'timeout'
  | 'network'
  | 'http-status'
  | 'bad-response'
  | 'program-failed'
  | 'program-missing'
  | 'output-too-large'
  | 'prompt-too-long'
  | 'bad-prompt'
  | 'empty-answer'
  | 'no-match'
  | 'no-recording'
  | 'target-error'
  | 'bad-workspace'

interface NoAnswerFacts {
  /** Whether asking again may help. */
  readonly retryable?: boolean
  /** How long the other side asks us to wait. */
  readonly retry_after_ms?: number | undefined
  /** Whether the other side said that there were too many calls. */
  readonly overloaded?: boolean
  /** The folder in which the target worked, where it had one of its own. */
  readonly workspace_path?: string | undefined
}

/** A target that gave no answer, in words for people. It is never a score of 0. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code: NoAnswerCode
  readonly retryable: boolean
  readonly retry_after_ms: number | undefined
  readonly overloaded: boolean
  readonly workspace_path: string | undefined

  constructor(code: NoAnswerCode, message: string, facts: NoAnswerFacts = {}) {
    super(message)
    this.code = code
    this.retryable = facts.retryable ?? false
    this.retry_after_ms = facts.retry_after_ms
    this.overloaded = facts.overloaded ?? false
    this.workspace_path = facts.workspace_path
  }
}
