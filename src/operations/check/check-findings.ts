import { plural } from '../../lib/text/format.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Check } from '../../model/check.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import { answerOf, COMMON_PROBES } from './probe-answers.ts'
import { NO_PROGRAMS, type ProbedTest, type Prober } from './prober.ts'
import { leavesOf, type Reference } from './references.ts'

/** Why checks were not tried. */
export const LEFT_OUT = {
  judges: 'by a model (--judges)',
  programs: 'by a program (--programs)',
  workspace: 'of a workspace or mocked services',
  figures: 'of time, cost or tokens',
  others: 'that need an attempt',
} as const

type LeftOut = keyof typeof LEFT_OUT

/** What is known of one check so far. */
interface Trial {
  accepted: number
  rejected: number
  is_complete: boolean
  /** Why it could not be graded. */
  error: EvaluatorResult['error']
}

/** Tries checks one by one, and finds those that accept everything or nothing. A check of a suite is shared by its tests. */
export class CheckTrials {
  readonly #prober: Prober
  readonly #trials = new Map<Check, Trial>()
  readonly #wrong = new Map<Check, string>()

  constructor(prober: Prober) {
    this.#prober = prober
  }

  async add(tested: ProbedTest, references: readonly Reference[]): Promise<void> {
    for (const check of leavesOf(tested.test.checks)) {
      const trial = this.#trials.get(check) ?? { accepted: 0, rejected: 0, is_complete: true, error: undefined }
      this.#trials.set(check, trial)
      if (!hasVaried(trial)) await this.#try(trial, check, tested, references)
      await this.#tryWrong(check, tested)
    }
  }

  /** Tries a check until it has accepted an answer and rejected another. */
  async #try(trial: Trial, check: Check, tested: ProbedTest, references: readonly Reference[]): Promise<void> {
    const { evaluator, config, negate } = check
    const own = evaluator.probing?.probes?.(config, tested.test) ?? { probes: [], is_complete: !negate }
    if (!own.is_complete) trial.is_complete = false
    const answers = [...references.map(({ answer }) => answer), ...[...COMMON_PROBES, ...own.probes].map(answerOf)]
    for (const answer of answers) {
      const accepts = await this.#prober.accepts(tested, check, answer)
      if (accepts === true) trial.accepted++
      else if (accepts === false) trial.rejected++
      else trial.error ??= accepts
      if (hasVaried(trial)) return
      // What was not started is not started the next time.
      if (accepts !== true && accepts !== false && accepts?.message.endsWith(NO_PROGRAMS)) return
    }
  }

  async #tryWrong(check: Check, tested: ProbedTest): Promise<void> {
    const { evaluator, config, negate } = check
    if (negate || this.#wrong.has(check)) return
    for (const probe of evaluator.probing?.wrong?.(config, tested.test) ?? [])
      if ((await this.#prober.accepts(tested, check, answerOf(probe))) === true) this.#wrong.set(check, tested.test.id)
  }

  findings(): DiagnosticInput[] {
    const constant = [...this.#trials].flatMap(([check, trial]) => findingOf(check, trial) ?? [])
    const wrong = [...this.#wrong].map(([check, id]) => wrongFinding(check, id))
    return [...constant, ...wrong]
  }

  /** Whether a check is known to accept everything. */
  isVacuous(check: Check): boolean {
    const trial = this.#trials.get(check)
    return trial !== undefined && findingOf(check, trial)?.code === 'vacuous-check'
  }

  /** How many checks were not tried, and why. */
  leftOut(): ReadonlyMap<LeftOut, number> {
    const counts = new Map<LeftOut, number>()
    for (const [check, { accepted, rejected, error }] of this.#trials) {
      if (accepted + rejected > 0 || !error) continue
      const reason = reasonOf(check, error)
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    return counts
  }

  get size(): number {
    return this.#trials.size
  }
}

function hasVaried({ accepted, rejected }: Trial): boolean {
  return accepted > 0 && rejected > 0
}

function findingOf(check: Check, { accepted, rejected, is_complete }: Trial): DiagnosticInput | undefined {
  if (!is_complete || (accepted > 0 && rejected > 0) || accepted + rejected < FEWEST) return undefined
  const { name, negate, at } = check
  const tried = plural(Math.max(accepted, rejected), 'answer')
  const what = `${negate ? 'the negated check' : 'the check'} ${quoteCode(name)}`
  if (rejected === 0)
    return {
      code: 'vacuous-check',
      at,
      message: `${what} accepts all ${tried} that it was tried with, also ${negate ? 'those that are made from its own words' : 'an empty one and texts about something else'}`,
      hint: negate ? 'nothing can make it fail: correct what it looks for' : 'correct what it looks for, or remove it',
    }
  return {
    code: 'impossible-check',
    at,
    message: `${what} rejects all ${tried} that it was tried with, also those that are made from its own words`,
    hint: negate ? 'it forbids every answer: correct what it looks for' : 'correct what it looks for',
  }
}

/** Fewer answers show nothing. */
const FEWEST = 5

function wrongFinding({ name, at }: Check, id: string): DiagnosticInput {
  return {
    code: 'vacuous-check',
    at,
    message: `the check ${quoteCode(name)} accepts an answer to ${quoteCode(id)} in which every value differs from the expected one`,
    hint: 'compare more strictly, or give weight to the fields that matter',
  }
}

function reasonOf({ evaluator, config }: Check, { code, message }: NonNullable<EvaluatorResult['error']>): LeftOut {
  const needs = evaluator.needs?.(config)
  if (evaluator.judge) return 'judges'
  if (message.endsWith(NO_PROGRAMS)) return 'programs'
  if (needs?.workspace || needs?.mocks || evaluator.alters_workspace) return 'workspace'
  return code === 'not-reported' ? 'figures' : 'others'
}
