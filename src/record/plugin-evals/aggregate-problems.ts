import { compositeKey } from '../../lib/collections.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { caseFigures, isGraded, missesRequiredGrader, suiteFigures } from '../../model/aggregate-figures.ts'
import type { AggregateCase, AggregateResult, AggregateRun } from '../../model/aggregate-result.ts'
import { reaches } from '../../model/verdict.ts'
import { matchGraders } from './match-graders.ts'
import { scoreByGraders } from './score-by-graders.ts'

/** What an `aggregate-result.json` says in two places, and differently. Empty for a file that can be trusted. */
export function aggregateProblems(file: AggregateResult): string[] {
  return [...duplicates(file), ...file.cases.flatMap(each => caseProblems(each, file)), ...totalProblems(file)]
}

/** Means of the client are sums of rounded numbers. */
const CLOSE = 1e-6

function differs(written: number | undefined, found: number | undefined): boolean {
  return written !== undefined && found !== undefined && Math.abs(written - found) > CLOSE
}

/** Two cases with one name and folder would be taken for runs of one. */
function duplicates({ cases }: AggregateResult): string[] {
  const seen = new Set<string>()
  return cases.flatMap(({ name, dir, assay }) => {
    const key = compositeKey(name, dir, assay?.suite ?? '')
    if (seen.has(key)) return [`There are two cases ${quoteCode(name)} in ${quoteCode(dir)}.`]
    seen.add(key)
    return []
  })
}

function caseProblems(each: AggregateCase, file: AggregateResult): string[] {
  const isOurs = file.assay !== undefined
  const { arms, aggregates, runsPerCase } = each
  const found = caseFigures(each, isOurs ? isGraded : () => true)
  const problems = [
    ...(arms.with.length === 0 ? ['has no runs'] : []),
    ...(arms.without !== undefined && file.suite.ablation === 'none'
      ? ['has runs without the plugin, but `ablation` is `none`']
      : []),
    ...Object.entries(found).flatMap(([key, value]) => {
      const written = aggregates[key]
      const isMissing = written === undefined && value !== undefined && (key === 'score' || key === 'passRate')
      if (isMissing) return [`has no ${key}`]
      const isWrong = typeof written === 'number' && (value === undefined || differs(written, value))
      return isWrong ? [`has the ${key} ${written}, but its runs give ${value ?? 'none'}`] : []
    }),
    ...[arms.with, arms.without ?? []].flatMap(runs => countProblems(runs, runsPerCase, file)),
    ...[...arms.with, ...(arms.without ?? [])].flatMap((run, index) =>
      runProblems(run, each, file).map(problem => `${problem} in run ${index + 1}`),
    ),
  ]
  return problems.map(problem => `Case ${quoteCode(each.name)} ${problem}.`)
}

function countProblems(runs: readonly AggregateRun[], planned: number, { partial }: AggregateResult): string[] {
  if (runs.length > planned) return [`has ${runs.length} runs, but runsPerCase is ${planned}`]
  const isMissing = runs.length > 0 && runs.length < planned && !partial
  return isMissing ? [`has ${runs.length} of ${planned} runs, but partial is false`] : []
}

function runProblems(run: AggregateRun, each: AggregateCase, file: AggregateResult): string[] {
  const { score, passed, graders } = run
  const matched = matchGraders(each, run)
  if (!matched) return ['has graders that the case does not list']
  const isOurs = file.assay !== undefined
  const other = isOurs
    ? undefined
    : matched.find(({ definition, result }) => result && result.weight !== definition.weight)
  const expected = isOurs && !isGraded(run) ? 0 : scoreByGraders(graders)
  return [
    ...(other ? [`gives the grader ${quoteCode(other.definition.name)} another weight`] : []),
    ...(differs(score, expected) ? [`has the score ${score}, but its graders give ${expected}`] : []),
    ...(!isOurs && passed !== score >= 1 ? [`has the score ${score}, but passed is ${passed}`] : []),
  ]
}

function totalProblems(file: AggregateResult): string[] {
  const { aggregates, cases } = file
  if (aggregates.casesTotal !== cases.length)
    return [`casesTotal is ${aggregates.casesTotal}, but ${cases.length} are listed: the others have no result.`]
  const [fewest, most] = passedCases(file)
  const { casesPassed } = aggregates
  const isImpossible = casesPassed < fewest || casesPassed > most
  return [
    ...(isImpossible ? [`casesPassed is ${casesPassed}, but ${most} of the cases reach the threshold.`] : []),
    ...Object.entries(suiteFigures(cases)).flatMap(([key, value]) => {
      const written = aggregates[key]
      const isWrong = typeof written === 'number' && (value === undefined || differs(written, value))
      return isWrong ? [`${key} is ${written}, but the cases give ${value ?? 'none'}.`] : []
    }),
  ]
}

/** The number of passed cases, without and with those whose mean is below the threshold by a rounding error. */
function passedCases({ cases, suite, assay }: AggregateResult): readonly [fewest: number, most: number] {
  const scores = cases.filter(each => !assay || isClean(each)).map(({ aggregates }) => aggregates.score ?? 0)
  const exact = scores.filter(score => score >= suite.threshold).length
  const rounded = scores.filter(score => reaches(score, suite.threshold)).length
  return [Math.min(exact, rounded), Math.max(exact, rounded)]
}

/** A case with errors, or with a missed required check, has not passed, whatever the score of its other runs. */
function isClean({ arms }: AggregateCase): boolean {
  return arms.with.every(run => isGraded(run) && !run.graders.some(missesRequiredGrader))
}
