import type { Message } from './message.ts'
import type { Look } from './prompt.ts'

/** What a model that judges is asked. */
export interface JudgeRequest {
  readonly messages: readonly Message[]
  /** The JSON Schema of its reply, for providers that can hold it to one. */
  readonly reply_schema: Readonly<Record<string, unknown>>
  readonly temperature: number
  /** Where it may look around. */
  readonly look?: Look | undefined
}
