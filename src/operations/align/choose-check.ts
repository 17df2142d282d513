import { canonicalJson } from '../../lib/json/stringify.ts'
import { plural } from '../../lib/text/format.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { appliesTo } from '../../model/applicability.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Check } from '../../model/check.ts'
import { UserError } from '../../model/user-error.ts'
import type { WrittenWording } from '../../model/wording.ts'
import type { LabelledResult } from './labelled-answers.ts'

/** A labelled answer with the attempt that judges it again. */
export interface MatchedAnswer {
  readonly labelled: LabelledResult
  readonly attempt: Attempt
}

/** A check whose wording is aligned with people. */
export interface AlignedCheck {
  readonly check: Check
  readonly written: WrittenWording
  /** The labelled answers that it judges. */
  readonly answers: readonly MatchedAnswer[]
}

/** The check with a name, or the only one that judges all labelled answers. Throws if it cannot be aligned. */
export function chooseCheck(name: string | undefined, answers: readonly MatchedAnswer[]): AlignedCheck {
  const byName = new Map<string, { check: Check; answers: MatchedAnswer[]; wordings: Set<string> }>()
  for (const answer of answers) {
    for (const check of alignableChecks(answer.attempt)) {
      const known = byName.get(check.name) ?? { check, answers: [], wordings: new Set() }
      byName.set(check.name, known)
      known.answers.push(answer)
      known.wordings.add(canonicalJson([check.type, check.evaluator.wording?.of(check).wording]))
    }
  }
  const shared = [...byName].filter(([, found]) => found.answers.length === answers.length && found.wordings.size === 1)
  const chosen = name ?? (shared.length === 1 ? shared[0]?.[0] : undefined)
  const found = chosen === undefined ? undefined : byName.get(chosen)
  if (!found) throw noCheck(name, [...byName.keys()])
  const { check, wordings } = found
  const written = check.evaluator.wording?.of(check)
  if (wordings.size > 1 || !written)
    throw new UserError(
      `The check ${quoteCode(check.name)} has ${plural(wordings.size, 'text')} in the labelled tests, and one text is proposed for all.`,
      'Write it once, without variables of tests, in `execution.evaluators` of the suite or with a prompt file, or name another check with --check.',
    )
  requireNoVariables(check, written)
  return { check, written, answers: found.answers }
}

/** The checks of a test by a text, which count in its verdict. Checks inside other checks are left out. */
function alignableChecks({ test, target }: Attempt): Check[] {
  return test.checks.filter(
    check =>
      check.evaluator.wording !== undefined &&
      (check.weight > 0 || check.required !== undefined) &&
      appliesTo(check, target),
  )
}

/** A proposal would have the values of variables in place of the variables. */
function requireNoVariables({ name, at }: Check, { wording, key, file }: WrittenWording): void {
  if (file !== undefined) return
  const nodes =
    wording.kind === 'prompt'
      ? [at.child(key)]
      : wording.items.flatMap((_, index) => [at.child(key, index), at.child(key, index, 'outcome')])
  const loaded = canonicalJson(wording)
  const templates = nodes.flatMap(node => node.written()?.match(/\{\{[^{}]*\}\}/g) ?? [])
  const filled = [...new Set(templates)].filter(template => !loaded.includes(template))
  if (filled.length === 0) return
  throw new UserError(
    `The text of the check ${quoteCode(name)} has variables of tests (${filled.join(', ')}), which a proposed text would lose.`,
    'Write their values in the text, or use the variables of judges, such as {{criteria}} and {{note}}.',
  )
}

function noCheck(name: string | undefined, names: readonly string[]): UserError {
  const list = names.map(quoteCode).join(', ')
  const hint =
    names.length === 0
      ? 'Only checks of type llm_judge, rubrics and agent_judge can be aligned, unless they are inside other checks or have the weight 0.'
      : `Name one with --check: ${list}.`
  if (name !== undefined) return new UserError(`No labelled answer is judged by a check ${quoteCode(name)}.`, hint)
  return names.length === 0
    ? new UserError('No labelled answer is judged by a check whose text can be aligned.', hint)
    : new UserError('The labelled answers do not share exactly one check that a model judges.', hint)
}
