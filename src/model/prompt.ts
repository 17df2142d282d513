import type { AgentSettings } from './agent-settings.ts'
import type { McpAccess } from './mcp-server.ts'
import type { Message } from './message.ts'

/** A folder that a judge inspects before its answer, and the maximum number of steps. */
export interface Look {
  readonly folder: string
  readonly max_steps: number
}

/** A request to a target. */
export interface Prompt {
  readonly messages: readonly Message[]
  /** The target's system message, if the test has none. */
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
  /** A hash of the messages, with the content of their files. */
  readonly request_id: string
  /** The JSON Schema of the answer, for providers that support one. */
  readonly reply_schema?: Readonly<Record<string, unknown>> | undefined
  /** Overrides the temperature of the target. */
  readonly temperature?: number | undefined
  /** Number of the vote of a judge, from 1. */
  readonly vote?: number | undefined
  /** Number of the grading with `--judge-repeats`, from 1. */
  readonly repeat?: number | undefined
  /** Absolute path of the attempt's workspace. */
  readonly workspace?: string | undefined
  /** For a judge that inspects a folder. */
  readonly look?: Look | undefined
  /** The texts of the messages are embedded; the answer is the list of their vectors, as JSON. */
  readonly embeds?: true | undefined
  /** Settings of a coding agent, over those of the target. */
  readonly agent?: AgentSettings | undefined
  /** Mocked MCP servers of the attempt, which replace servers of the target with the same name. */
  readonly mcp?: McpAccess | undefined
}

/** A request to a judge model. */
export interface JudgeRequest {
  readonly messages: readonly Message[]
  /** The JSON Schema of the reply, for providers that support one. */
  readonly reply_schema: Readonly<Record<string, unknown>>
  readonly temperature: number
  /** Number of the vote, from 1: equal requests with other numbers are asked again, also with a cache. */
  readonly vote?: number | undefined
  /** The target that judges, for a check with several judges. Default: the judge of the check. */
  readonly judge?: string | undefined
  /** The folder that the judge inspects. */
  readonly look?: Look | undefined
  /** The texts of the messages are embedded; the answer is the list of their vectors, as JSON. */
  readonly embeds?: true | undefined
}
