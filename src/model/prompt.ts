import type { Message } from './message.ts'

/** A folder to look around in before the answer, and how often. */
export interface Look {
  readonly folder: string
  readonly max_steps: number
}

/** What a target is asked. */
export interface Prompt {
  readonly messages: readonly Message[]
  /** The target's system message, where the test has none of its own. */
  readonly system_prompt: string | undefined
  readonly test_id: string
  /** Name of the suite. */
  readonly suite: string
  /** Absolute path of the suite's folder. */
  readonly folder: string
  /** From 1. */
  readonly trial: number
  /** Name of the target. */
  readonly target: string
  readonly attempt_id: string
  /** A hash of what is asked: the messages, and the files in them by content. */
  readonly request_id: string
  /** The JSON Schema that the answer should follow, where the provider can see to that. */
  readonly reply_schema?: Readonly<Record<string, unknown>> | undefined
  /** Instead of the target's own. */
  readonly temperature?: number | undefined
  /** Absolute path of a folder of this attempt alone, in which the target works. */
  readonly workspace?: string | undefined
  /** For a judge that may look around. */
  readonly look?: Look | undefined
}

/** What a model that judges is asked. */
export interface JudgeRequest {
  readonly messages: readonly Message[]
  /** The JSON Schema of its reply, for providers that can hold it to one. */
  readonly reply_schema: Readonly<Record<string, unknown>>
  readonly temperature: number
  /** Where it may look around. */
  readonly look?: Look | undefined
}
