import type * as z from '../lib/zod.ts'
import type { Answer } from './answer.ts'
import type { Check, CheckFiles, CheckSettings } from './check.ts'
import type { EvaluatorResult } from './evaluator-result.ts'
import type { Grade } from './grade.ts'
import type { Host } from './host.ts'
import type { Issue } from './issue.ts'
import type { Path } from './location.ts'
import type { Message } from './message.ts'
import type { OtherAnswer } from './other-answer.ts'
import type { GradedTest, PluginGraders } from './plugin-grader.ts'
import type { CheckProbing } from './probe.ts'
import type { JudgeRequest } from './prompt.ts'
import type { GradedTarget } from './target.ts'
import type { Wording, WrittenWording } from './wording.ts'

/** One type of check. */
export interface Evaluator<Config = unknown> {
  readonly type: string
  /** Other names of the type. `_` and `-` are equivalent in every name. */
  readonly aliases?: readonly string[]
  /** One sentence for the reference and for editors. */
  readonly summary: string
  /** Further paragraphs for the reference. */
  readonly notes?: readonly string[]
  /** Schema of the fields that checks of this type have besides the common ones. `check`: that of checks inside; default: any. */
  config(check?: z.ZodType): z.ZodObject
  /** Checks of this type contain others, as `evaluators`. */
  readonly contains_checks?: true
  readonly examples: readonly Example[]
  /** Throws `Unjudged` if no grade can be given; any other throw is a bug. */
  grade(config: Config, subject: Subject, context: GradeContext): Grade | Promise<Grade>
  readonly sentences: CheckSentences<Config>
  readonly validate?: CheckValidation<Config>
  /** The files that a check names. */
  files?(config: Config): readonly FileReference[]
  readonly keys?: CheckKeys
  /** For a check of whether a skill is used: which one, and whether it should be. Such a check says nothing about the answer. */
  trigger?(config: Config): { readonly skill: string; readonly should_trigger: boolean }
  /** Whether a check applies to a target, unless it says so itself with `applies_to`. Default: true. */
  applies?(config: Config, target: GradedTarget): boolean
  /** The other answer to the same test that a check compares with; undefined if it needs none. */
  compares?(config: Config): OtherAnswer | undefined
  /** The check as graders of plugin evals. Default: they cannot express it. */
  plugin?(check: Check<Config>, test: GradedTest): PluginGraders
  /** What a check looks at besides the answer. Default: nothing. */
  needs?(config: Config): CheckNeeds
  /** The check is about the tool calls of the agent, whatever its fields: people who label see them. */
  readonly about_calls?: true
  /** The check can change the files of the workspace: it is graded after all others, alone. */
  readonly alters_workspace?: true
  /** For a check that a model judges. */
  judge?(config: Config): JudgeNeeds
  /** How `assay check` tries the check. Default: with the answers that every check is tried with. */
  readonly probing?: CheckProbing<Config>
  /** For a check that a model judges by a text: what it is, and the check with another one. */
  readonly wording?: CheckWording<Config>
  /** A judge file of this name is used instead: it may be older than the type. */
  readonly yields_to_files?: true
  /** The fields of a check whose type is the name of a judge file: `./judges/mine.py`. */
  fromJudgeFile?(file: string, fields: Record<string, unknown>): Config
}

/** Reads and replaces what a check tells its judge. */
export interface CheckWording<Config> {
  of(check: Check<Config>): WrittenWording
  /** The check with another wording of the same kind; everything else stays. */
  replace(check: Check<Config>, wording: Wording): Check
}

/** A check in words, and back. */
export interface CheckSentences<Config> {
  write(check: CheckInWords<Config>): readonly string[]
  /** The same for people, without the escapes that `parse` needs. Default: `write`. */
  show?(check: CheckInWords<Config>): readonly string[]
  /** The fields of the check that has this sentence; undefined for any other sentence. */
  parse?(sentence: string, test: Pick<TestFacts, 'expected_output'>): Record<string, unknown> | undefined
  /** Names what the sentence of a check leaves out, each in a few words. */
  omits?(config: Config): readonly string[]
}

/** What the sentences of a check depend on. */
export type CheckInWords<Config = unknown> = Omit<CheckSettings<Config>, 'name' | 'weight' | 'required' | 'applies_to'>

/** Problems that can be found before the run. */
export interface CheckValidation<Config> {
  /** Problems of a check whose fields have the right shape. */
  check?(config: Config, files: CheckFiles): readonly Issue[] | Promise<readonly Issue[]>
  /** Problems of a check in a certain test. */
  test?(config: Config, test: TestFacts): readonly Issue[]
  /** Problems of a check on the answers of a certain target. */
  target?(config: Config, target: GradedTarget): readonly Issue[]
  /** The ids in a check that must be unique within a test. */
  ids?(config: Config): readonly { readonly id: string; readonly path: Path }[]
  /** Describes what this machine lacks to grade the check. */
  machine?(config: Config, files: CheckFiles, host: Host): Promise<string | undefined>
}

/** Keys of a check that are read in a special way. */
export interface CheckKeys {
  /** Keys whose numbers and booleans are taken as they are written in the file; may depend on the fields. */
  readonly verbatim?: readonly string[] | ((fields: Readonly<Record<string, unknown>>) => readonly string[])
  /** Keys that name files, programs or checks: variables of a test are not filled in there. */
  readonly literal?: readonly string[]
  /** Keys whose text has variables of judges, besides those of a test. */
  readonly prompts?: readonly string[]
  /** Keys of other tools that this type does not support, each with a hint of what to use instead. */
  readonly unsupported?: Readonly<Record<string, string>>
}

/** What a check looks at besides the answer: a test or target that cannot have it is reported before the run. */
export interface CheckNeeds {
  /** The files of the workspace, or what the agent changed in it. */
  readonly workspace?: true
  /** Calls to mocked servers, or the state of the server with this name. */
  readonly mocks?: true | string
}

/** What a check needs of its judge. */
export interface JudgeNeeds {
  /** The target that judges, if the check names one. */
  readonly target?: string | undefined
  /** The targets that judge together, if the check has a panel. */
  readonly judges?: readonly string[] | undefined
  /** How often each judge is asked about an answer. Default: 1. */
  readonly calls?: number | undefined
  /** The judge must be able to look around in a folder. */
  readonly looks?: true
  /** The target does not judge: it embeds texts. */
  readonly embeds?: true
  /** Many answers can be graded without the judge. */
  readonly is_optional?: true
}

/** The answer that is graded, and the test behind it. */
export interface Subject {
  readonly answer: Answer
  readonly test: SubjectTest
  /** Name of the target that answered. */
  readonly target: string
  /** From 1. */
  readonly trial: number
  /** Absolute path of the suite's folder. */
  readonly folder: string
  /** Absolute path of the target's workspace, if it had one. */
  readonly workspace?: string | undefined
}

export interface GradeContext {
  readonly host: Host
  /** The files that the check names. */
  readonly files: CheckFiles
  /** Absolute path of the folder that relative paths in the check start from. */
  readonly home: string
  /** Aborts everything that the check has started. */
  readonly signal: AbortSignal
  /** Runs work, such as a program, when the semaphore has room. */
  withSlot<T>(work: () => Promise<T>): Promise<T>
  /** Whether the target that judges this check, or each one of a panel, can look around in a folder. */
  readonly judge_looks?: boolean
  /** Asks the target that judges this check, or the one of a panel that the request names. Throws `Unjudged` if it gives no answer. */
  ask(request: JudgeRequest): Promise<Answer>
  /** The text of the other answer that this check compares with. Throws `Unjudged` without one. */
  otherAnswer(other: OtherAnswer): Promise<string>
  /** Grades a check inside this one. */
  grade(check: Check): EvaluatorResult | Promise<EvaluatorResult>
  /** The result of a check inside this one that is skipped. */
  skip(check: Check): EvaluatorResult
}

export interface Example {
  readonly title: string
  /** The check as it is written in EVAL.yaml. */
  readonly check: Readonly<Record<string, unknown>>
  /** The test's expected output, for checks that compare with it. */
  readonly expected_output?: unknown
}

export interface FileReference {
  /** The path as it is written. */
  readonly value: string
  /** The path of the field in the check. */
  readonly at: Path
  /** Whether the loader reads the file, requires it to exist, or ignores a missing one. */
  readonly need: 'text' | 'presence' | 'none'
}

/** What a check knows of its test before the run. */
export interface TestFacts {
  /** A string, a list of messages, or structured output. */
  readonly expected_output?: unknown
  readonly criteria?: string | undefined
}

/** What a judge knows of the test whose answer it grades. */
interface SubjectTest extends TestFacts {
  readonly id: string
  readonly input: readonly Message[]
  readonly note?: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
}
