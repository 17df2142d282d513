import { groupBy } from '../../lib/collections.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { sha256 } from '../../lib/sha256.ts'
import { plural } from '../../lib/text/format.ts'
import type { AlignmentAnswer, AlignmentPart } from '../../model/alignment.ts'
import { UserError } from '../../model/user-error.ts'
import { minDiffering } from '../../report/compare/evidence.ts'

type Labelled = Omit<AlignmentAnswer, 'part'>

/** The seed that follows from the answers: to run again does not draw other parts. */
export function seedOf(answers: readonly Labelled[]): number {
  return Number.parseInt(sha256(JSON.stringify(answers.map(({ key }) => key).sort())).slice(0, 8), 16)
}

/** Divides answers at random into halves with about as many of each kind; a group is never divided. */
export function splitAnswers(answers: readonly Labelled[], seed: number): AlignmentAnswer[] {
  const random = seededRandom(seed)
  const groups = [...groupBy(answers, ({ group }) => group)]
    .map(([name, members]) => ({ name, ...countsOf(members), at: random() }))
    // Groups with both kinds, or of the rarer kind, are hardest to divide evenly.
    .sort((a, b) => kindsIn(b) - kindsIn(a) || a.at - b.at || (a.name < b.name ? -1 : 1))
  const totals = { training: { passes: 0, fails: 0 }, 'held-out': { passes: 0, fails: 0 } }
  const parts = new Map<string, AlignmentPart>()
  for (const { name, passes, fails } of groups) {
    const [one, other] = [totals['held-out'], totals.training]
    const rarer = fails > 0 ? 'fails' : 'passes'
    const order = one[rarer] - other[rarer] || one.passes + one.fails - other.passes - other.fails
    const part = order <= 0 ? 'held-out' : 'training'
    parts.set(name, part)
    totals[part].passes += passes
    totals[part].fails += fails
  }
  return answers.map(answer => ({ ...answer, part: parts.get(answer.group) ?? 'training' }))
}

function countsOf(answers: readonly Labelled[]): { passes: number; fails: number } {
  const passes = answers.filter(each => each.passes).length
  return { passes, fails: answers.length - passes }
}

function kindsIn({ passes, fails }: { passes: number; fails: number }): number {
  return Number(passes > 0) + Number(fails > 0)
}

/** Throws if a part lacks a kind, or the held-out part can never show a difference. */
export function requireBothKinds(answers: readonly AlignmentAnswer[]): void {
  const least = leastChanged(answers)
  const held = answers.filter(({ part }) => part === 'held-out')
  const lacking = (['training', 'held-out'] as const).some(
    part => kindsIn(countsOf(answers.filter(each => each.part === part))) < 2,
  )
  const { passes, fails } = countsOf(answers)
  const known = `${plural(answers.length, 'labelled answer')} of ${plural(new Set(answers.map(({ group }) => group)).size, 'test')}, ${passes} passed and ${fails} failed by people`
  if (lacking)
    throw new UserError(
      `Too few labels: ${known}. Each half needs answers of both kinds, from different tests.`,
      `Label answers of more tests with \`assay label\`: at least ${missingText(answers)}.`,
    )
  const tests = new Set(held.map(({ group }) => group)).size
  if (tests < least)
    throw new UserError(
      `Too few labels: ${known}. The answers of ${plural(tests, 'test')} are held out, and those of at least ${least} tests must change for a decision.`,
      `Label answers of at least ${plural(2 * (least - tests), 'more test')} with \`assay label\`.`,
    )
}

/** How many answers of each kind are missing: one test of each kind for each half. */
function missingText(answers: readonly AlignmentAnswer[]): string {
  const tests = (passes: boolean) => new Set(answers.flatMap(each => (each.passes === passes ? [each.group] : []))).size
  const words = (passes: boolean, kind: string) => {
    const missing = Math.max(0, 2 - tests(passes))
    return missing === 0 ? [] : [`${missing} that ${missing === 1 ? 'is' : 'are'} ${kind}`]
  }
  const missing = [...words(true, 'a pass'), ...words(false, 'a fail')]
  return missing.length > 0 ? missing.join(' and ') : '2 of each kind, one in each of four tests'
}

/** Fewest held-out answers, or tests, that must change for a decision. */
export function leastChanged(answers: readonly AlignmentAnswer[]): number {
  const held = answers.filter(({ part }) => part === 'held-out')
  return minDiffering({ is_binary: new Set(held.map(({ group }) => group)).size === held.length })
}
