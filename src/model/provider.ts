import type * as z from 'zod'
import type { Answer } from './answer.ts'
import type { Host } from './host.ts'
import type { Issue } from './issue.ts'
import type { Prompt } from './prompt.ts'
import type { Recordings } from './recordings.ts'

/** One kind of target: everything the program knows about it stands in its one file. */
export interface Provider<Config = unknown> {
  readonly type: string
  /** One sentence for the reference and for editors. */
  readonly summary: string
  /** The fields of its own. */
  readonly config: z.ZodObject
  readonly examples: readonly TargetExample[]
  /** What is wrong with a target whose fields have the right shape. */
  issues?(config: Config): readonly Issue[]
  /** What a target that is in use lacks in the files around it. */
  issuesAt?(config: Config, home: string, host: Host): Promise<readonly Issue[]>
  /** What a target that answers for a suite lacks where that suite is. */
  issuesFor?(config: Config, places: Places, host: Host): Promise<readonly Issue[]>
  /** How many answers may be under way at once where nobody says. Default: 16. */
  workers?(host: Host): number
  /** Variables that hold the key where the target has no `api_key`; the first that is set counts. */
  readonly keyVariables?: readonly string[]
  /** The variable with the URL of the API, where the target has no `base_url`. */
  readonly urlVariable?: string
  /** The folder that is copied for each attempt, for the target to work in; from the folder that relative paths start from. */
  workspace?(config: Config): string | undefined
  /** Folders that belong to the target, such as skills: with another content it is another target. Found as the workspace is. */
  folders?(config: Config): readonly string[]
  /** Absolute paths of files that may make the target behave as it does, such as its program; those that exist count as `folders` do. */
  files?(config: Config, places: Places): readonly string[]
  /** Whether an answer may be kept for the same question. Default: it may, unless the target works in a copy of a folder: what it does there is part of it. */
  isCacheable?(config: Config): boolean
  /** Where calls go: what shares an endpoint shares its pace. Default: the target alone. */
  endpoint?(config: Config): string
  /** What a target is, in a few words without secrets: the model, the command, the URL. */
  about?(config: Config): string
  /** What this machine lacks to ask a target, in words. Relative paths in the target start from `home`. */
  lacks?(config: Config, home: string, host: Host): Promise<string | undefined>
  /** The family of the model behind it, as `gpt`; undefined where nobody knows. A provider of no model has no such method. */
  family?(config: Config): string | undefined
  /** What it answers from is on this machine alone: workers elsewhere are not asked. */
  readonly isLocal?: true
  /** Whether it lets a judge look around in a folder, where the prompt says so. */
  readonly looks?: true
  /** Throws `NoAnswer` where there is none to give; any other throw is a bug. */
  answer(config: Config, prompt: Prompt, context: AskContext): Promise<Answer>
}

/** Where the files of a target are found from: absolute paths of folders. */
export interface Places {
  /** Where relative paths in the target start from. */
  readonly home: string
  /** The folder of the suite. */
  readonly suite: string
}

/** What a provider has besides the prompt. */
export interface AskContext {
  readonly host: Host
  readonly signal: AbortSignal
  /** Absolute path of the folder that relative paths in the target start from. */
  readonly home: string
  /** Says something to the user that does not change the answer. */
  warn(message: string): void
  /** The answers of an earlier run. */
  recordings(from: string): Promise<Recordings>
}

export interface TargetExample {
  readonly title: string
  /** The target as it is written in targets.yaml. */
  readonly target: Readonly<Record<string, unknown>>
}
