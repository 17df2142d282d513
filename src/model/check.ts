import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import type { Evaluator } from './evaluator.ts'
import type { Origin } from './location.ts'
import { PASS_MARK } from './verdict.ts'

/** What a check is, wherever it is written. */
export interface CheckSettings<Config = unknown> {
  readonly evaluator: Evaluator<Config>
  readonly type: string
  /** Unique within the test. */
  readonly name: string
  /** The name as written; undefined if it is the default. */
  readonly written_name: string | undefined
  readonly weight: number
  /** The lowest score that does not fail the test. */
  readonly required: number | undefined
  readonly negate: boolean
  /** Names of the targets that it applies to; undefined: all. */
  readonly applies_to: readonly string[] | undefined
  readonly description: string | undefined
  readonly config: Config
  readonly files: CheckFiles
}

/**
 * A loaded check, with its evaluator and its location. Large suites have hundreds of thousands: checks that are written
 * alike share their settings.
 */
export class Check<Config = unknown> implements CheckSettings<Config> {
  readonly settings: CheckSettings<Config>
  readonly at: Origin

  constructor(settings: CheckSettings<Config>, at: Origin) {
    this.settings = settings
    this.at = at
  }

  get evaluator(): Evaluator<Config> {
    return this.settings.evaluator
  }

  get type(): string {
    return this.settings.type
  }

  get name(): string {
    return this.settings.name
  }

  get written_name(): string | undefined {
    return this.settings.written_name
  }

  get weight(): number {
    return this.settings.weight
  }

  get required(): number | undefined {
    return this.settings.required
  }

  get negate(): boolean {
    return this.settings.negate
  }

  get applies_to(): readonly string[] | undefined {
    return this.settings.applies_to
  }

  get description(): string | undefined {
    return this.settings.description
  }

  get config(): Config {
    return this.settings.config
  }

  get files(): CheckFiles {
    return this.settings.files
  }

  /** The check with some other settings. */
  with(changes: Partial<CheckSettings<Config>>): Check<Config> {
    return new Check(Object.freeze({ ...this.settings, ...changes }), this.at)
  }
}

/** Files by their path as written in the check. */
export type CheckFiles = ReadonlyMap<string, CheckFile>

/** A file that a check names: its absolute path and, if it was read, its text. */
export interface CheckFile {
  readonly path: string
  readonly text?: string
}

/** The common fields of checks. */
export const checkFields = lazily(() => ({
  name: z.string().min(1).optional().describe('Name of the check in results. Default: its type.'),
  weight: z.number().min(0).default(1).describe('Weight in the score of the test. 0: reported, not counted.'),
  required: z
    .union([z.boolean().transform(required => (required ? PASS_MARK : undefined)), z.number().gt(0).max(1)])
    .optional()
    .describe('If set, the test fails when this check scores lower: `true` for 0.8, or a number above 0 and up to 1.'),
  negate: z.boolean().default(false).describe('Invert the score: 1 becomes 0.'),
  applies_to: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'Names of the targets that the check applies to. On other targets it neither passes nor fails, and has no weight. Default: all targets.',
    ),
  description: z.string().optional().describe('Purpose of the check.'),
  config: z.record(z.string(), z.unknown()).optional().describe('Settings of the judge.'),
}))

/** The checks inside a check. */
export function nestedChecks(check: Check): readonly Check[] {
  return check.evaluator.contains_checks ? (check.config as { evaluators: readonly Check[] }).evaluators : NO_CHECKS
}

const NO_CHECKS: readonly Check[] = []

/** Whether one of the checks, or one inside of them, is like this. Large suites have hundreds of thousands of checks. */
export function someCheck(checks: readonly Check[], isWanted: (check: Check) => boolean): boolean {
  for (const check of checks) {
    if (isWanted(check) || (check.evaluator.contains_checks && someCheck(nestedChecks(check), isWanted))) return true
  }
  return false
}

/** Whether a model judges a check, or one inside it. */
export function isJudged(check: Check): boolean {
  return check.evaluator.judge !== undefined || nestedChecks(check).some(isJudged)
}

/** The names of a panel; undefined for the judge of a check without a panel. Empty if no model judges it. */
export function judgeNames({ evaluator, config }: Check): readonly (string | undefined)[] {
  const needs = evaluator.judge?.(config)
  return needs ? (needs.judges ?? [undefined]) : []
}

/** Describes a check for people. */
export function describeCheck(check: Check): readonly string[] {
  return check.evaluator.sentences.show?.(check) ?? check.evaluator.sentences.write(check)
}

export const NEGATION = 'Not the case: '

/** Negates a sentence, in words that fit every sentence. */
export function negateSentence(sentence: string): string {
  return `${NEGATION}${sentence}`
}
