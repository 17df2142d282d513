import type * as z from 'zod'
import type { Answer } from './answer.ts'
import type { Check, CheckFiles } from './check.ts'
import type { Grade } from './grade.ts'
import type { Host } from './host.ts'
import type { Issue } from './issue.ts'
import type { Path } from './location.ts'
import type { Message } from './message.ts'
import type { JudgeRequest } from './prompt.ts'
import type { EvaluatorResult } from './result.ts'

/** One type of check: everything the program knows about it stands in its one file. */
export interface Evaluator<Config = unknown> {
  readonly type: string
  /** Other names of the same type. `_` and `-` are the same in every name. */
  readonly aliases?: readonly string[]
  /** One sentence for the reference and for editors. */
  readonly summary: string
  /** What else users should know, for the reference: a paragraph each. */
  readonly notes?: readonly string[]
  /** The fields of its own. The second form contains other checks, as `evaluators`. */
  readonly config: z.ZodObject | ((check: z.ZodType) => z.ZodObject)
  readonly examples: readonly Example[]
  /** Fields in which a number or boolean means the text that stands in the file. */
  readonly verbatim?: readonly string[]
  /** Keys of other tools that this type does not support, each with a hint of what to use instead. */
  readonly unsupported?: Readonly<Record<string, string>>
  /** The files that a check names. */
  files?(config: Config): readonly FileReference[]
  /** What is wrong with a check whose fields have the right shape. */
  issues?(config: Config, files: CheckFiles): readonly Issue[] | Promise<readonly Issue[]>
  /** What is wrong with a check in a certain test. */
  issuesIn?(config: Config, test: TestFacts): readonly Issue[]
  /** The ids in a check that must be unique within a test. */
  ids?(config: Config): readonly { readonly id: string; readonly path: Path }[]
  /** The fields of a check that runs a judge of the user's own, found as a file: `./judges/mine.py`. */
  fromJudgeFile?(file: string, fields: Record<string, unknown>): Config
  /** The check in words. */
  sentence(check: Check<Config>): readonly string[]
  /** The same for people, without the escapes by which a sentence can be read back. Default: the sentence. */
  words?(check: Check<Config>): readonly string[]
  /** The fields of the check whose sentence this is; undefined for any other sentence. */
  fromSentence?(sentence: string, test: Pick<TestFacts, 'expected_output'>): Record<string, unknown> | undefined
  /** What a check says that its sentence does not, each in a few words. */
  unsaid?(config: Config): readonly string[]
  /** For a check that is about the use of a skill: which one, and whether it should be used. Such a check is no statement about the answer. */
  trigger?(config: Config): { readonly skill: string; readonly should_trigger: boolean }
  /** For a check that a model judges: the target that it names as its judge, if it names one; whether that must be able to look around; and whether the check often does without. */
  judge?(config: Config): { readonly target?: string | undefined; readonly looks?: true; readonly is_optional?: true }
  /** What this machine lacks to grade the check, in words. */
  lacks?(config: Config, files: CheckFiles, host: Host): Promise<string | undefined>
  /** Throws `Unjudged` where there is no grade to give; any other throw is a bug. */
  grade(config: Config, subject: Subject, context: GradeContext): Grade | Promise<Grade>
}

/** What is graded. */
export interface Subject {
  readonly answer: Answer
  readonly test: SubjectTest
  /** Name of the target that answered. */
  readonly target: string
  /** From 1. */
  readonly trial: number
  /** Absolute path of the suite's folder. */
  readonly folder: string
  /** Absolute path of the folder in which the target worked, where it had one of its own. */
  readonly workspace?: string | undefined
}

export interface GradeContext {
  readonly host: Host
  /** The files that the check names. */
  readonly files: CheckFiles
  /** Absolute path of the folder that relative paths in the check start from. */
  readonly home: string
  /** Whatever the check has started is ended at this. */
  readonly signal: AbortSignal
  /** Starts work, such as a program, when there is room for it. */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** Asks the target that judges this check. Throws `Unjudged` where it gives no answer. */
  ask(request: JudgeRequest): Promise<Answer>
  /** What a check inside this one finds. */
  grade(check: Check): EvaluatorResult | Promise<EvaluatorResult>
  /** A check inside this one that is not graded after all. */
  leaveOut(check: Check): EvaluatorResult
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
  /** Where it stands in the check's fields. */
  readonly at: Path
  /** Whether the loader reads it, only sees that it is there, or takes it for a file only where it is one. */
  readonly need: 'text' | 'presence' | 'none'
}

/** What a check may know of its test before the run. */
export interface TestFacts {
  /** A string, a list of messages, or structured output. */
  readonly expected_output?: unknown
}

/** What a judge may know of the test whose answer it grades. */
interface SubjectTest extends TestFacts {
  readonly id: string
  readonly criteria?: string | undefined
  readonly input: readonly Message[]
  readonly note?: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
}
