import type * as z from '../lib/zod.ts'
import type { AgentSetting, AgentSettings } from './agent-settings.ts'
import type { Answer } from './answer.ts'
import type { Commands } from './commands.ts'
import type { Embeddings } from './embeddings.ts'
import type { Host } from './host.ts'
import type { Issue } from './issue.ts'
import type { ServerAliases } from './mcp-server.ts'
import type { Prompt } from './prompt.ts'
import type { Recordings } from './recordings.ts'

/** One kind of target. */
export interface Provider<Config = unknown> {
  readonly type: string
  /** One sentence for the reference and for editors. */
  readonly summary: string
  /** Schema of the fields that targets of this type have besides the common ones. */
  config(): z.ZodObject
  readonly examples: readonly TargetExample[]
  /** Throws `NoAnswer` if the target gives no answer; any other throw is a bug. */
  answer(config: Config, prompt: Prompt, context: AskContext): Promise<Answer>
  /** Describes a target in a few words without secrets: the model, the command, the URL. */
  about?(config: Config): string
  /** Values of fields that follow from other fields where they are not written. */
  implied?(config: Config): Readonly<Record<string, unknown>>
  readonly validate?: TargetValidation<Config>
  readonly files?: TargetFiles<Config>
  readonly service?: ModelService<Config>
  readonly model?: TargetModel<Config>
  readonly execution?: TargetExecution<Config>
  /** Names of the skills that a target has; undefined if it may have others. Default: unknown. */
  skills?(config: Config, folders: TargetFolders, host: Host): Promise<readonly string[] | undefined>
  /** For coding agents whose skills can be tuned. */
  readonly tuning?: SkillTuning<Config>
  /** Whether its agents can use the MCP servers that `Prompt.mcp` names. Tests with mocks need it. */
  readonly mcp?: true
  /** Names that its agents have for MCP servers of plugins. Default: it has no plugins. */
  serverAliases?(
    config: Config,
    prompt: Pick<Prompt, 'agent' | 'folder'>,
    context: PluginContext,
  ): Promise<ServerAliases>
  /** The settings of `execution.agent` that its targets follow. Default: none. */
  readonly agentSettings?: readonly AgentSetting[]
  /** Whether a judge can look around in the folder that `Prompt.look` names. */
  readonly looks?: true
  /** Embeds texts with the model of the target, which is one for embeddings. Throws `NoAnswer` as `answer` does. */
  embed?(config: Config, texts: readonly string[], context: AskContext): Promise<Embeddings>
}

/** Problems that can be found before the run. */
export interface TargetValidation<Config> {
  /** Problems of a target whose fields have the right shape. */
  target?(config: Config): readonly Issue[]
  /** Problems of the files around a target that is in use. */
  surroundings?(config: Config, home: string, host: Host): Promise<readonly Issue[]>
  /** Problems of a target that answers for a suite in a certain folder. */
  suite?(config: Config, folders: TargetFolders, host: Host): Promise<readonly Issue[]>
  /** Describes what this machine lacks to ask the target. Relative paths in the target start from `home`. */
  machine?(config: Config, home: string, host: Host): Promise<string | undefined>
}

/** Files and folders that belong to a target. With another content, it is another target. */
export interface TargetFiles<Config> {
  /** The folder that is copied for each attempt, relative to the target's home, or `empty` for an empty repository. */
  workspace?(config: Config): string | undefined
  /** The commands that run in the copy before and after the agent. */
  commands?(config: Config): { readonly setup?: Commands | undefined; readonly teardown?: Commands | undefined }
  /** Folders such as skills; relative paths start from the target's home. */
  folders?(config: Config): readonly string[]
  /** Finds files that a list of folders does not describe, such as those of plugins. Absolute paths. */
  find?(config: Config, home: string, host: Host): Promise<readonly string[]>
  /** Absolute paths of files such as its program. Those that do not exist are ignored. */
  paths?(config: Config, folders: TargetFolders): readonly string[]
}

/** A service behind an API. */
export interface ModelService<Config> {
  /** Variables that hold the key if the target has no `api_key`; the first that is set is used. */
  readonly keyVariables?: readonly string[]
  /** The variable that holds the URL of the API if the target has no `base_url`. */
  readonly urlVariable?: string
  /** Identifies the endpoint: targets with the same endpoint share its rate limit. Default: the target alone. */
  endpoint?(config: Config): string
}

/** The model behind a target. */
export interface TargetModel<Config> {
  /** The family of the model, such as `gpt`; undefined if unknown. */
  family(config: Config): string | undefined
}

/** A folder of a skill, and a copy that an agent has in place of it. */
export interface SkillCopy {
  readonly skill: string
  readonly copy: string
  /** An empty folder. */
  readonly workspace: string
}

/** Agents that have skills and can be stopped once they have chosen one. */
export interface SkillTuning<Config> {
  /** The fields of a target that has the copy of a skill, and whose agent is stopped when it has chosen a skill. */
  fieldsFor(config: Config, copy: SkillCopy, home: string, host: Host): Promise<Readonly<Record<string, unknown>>>
}

/** How attempts on a target run. */
export interface TargetExecution<Config> {
  /** Default number of concurrent answers. Default: 16. */
  workers?(host: Host): number
  /** Whether answers may be cached. Default: true, unless the target works in a copy of a folder. */
  isCacheable?(config: Config): boolean
  /** Whether answers are made without waiting for anything, so that no timeout, retry or limit can concern them. */
  isImmediate?(config: Config): boolean
  /** The answers are on this machine only: attempts are not given to workers. */
  readonly isLocal?: true
  /** Answers may have `changes` of their own, without a workspace. */
  readonly reportsChanges?: true
  /** Answers are recorded ones, whose cost no budget counts again. */
  readonly isPaid?: true
  /** The agent is behind a URL, so that only `version` and `depends_on` tell its changes. */
  readonly isRemote?: true
}

/** Absolute paths of the folders in which the files of a target are looked for. */
export interface TargetFolders {
  /** The folder that relative paths in the target start from. */
  readonly home: string
  /** The folder of the suite. */
  readonly suite: string
  /** Folders that `execution.agent` of the suite and its tests adds. */
  readonly added?: Required<Pick<AgentSettings, 'plugins' | 'add_dirs'>> | undefined
}

/** What a provider can use to look at the plugins of a target. */
export type PluginContext = Pick<AskContext, 'home' | 'host'>

/** What a provider can use to answer a prompt. */
export interface AskContext {
  readonly host: Host
  readonly signal: AbortSignal
  /** Absolute path of the folder that relative paths in the target start from. */
  readonly home: string
  /** Shows a warning to the user. */
  warn(message: string): void
  /** The answers of an earlier run. */
  recordings(from: string): Promise<Recordings>
}

export interface TargetExample {
  readonly title: string
  /** The target as it is written in targets.yaml. */
  readonly target: Readonly<Record<string, unknown>>
}
