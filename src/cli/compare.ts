import { nodeHost } from '../host/node.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine, safeJson } from '../lib/printable.ts'
import { CannotDo } from '../model/cannot-do.ts'
import type { OpenRun } from '../record/read-run.ts'
import { runPlace } from '../record/run-place.ts'
import { type Agreement, agreementOf } from '../report/compare/agreement.ts'
import { byTarget, type Comparison, compareSides, type Side } from '../report/compare/comparison.ts'
import { comparisonText } from '../report/compare/comparison-text.ts'
import { outcomeOf, type TestOutcome } from '../report/outcome.ts'
import { percent } from '../report/rate-text.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { openRun } from './open-run.ts'
import { orMistake } from './or-mistake.ts'
import { warningText } from './terminal/progress.ts'
import { paletteFor, terminal } from './terminal/terminal.ts'

interface CompareOptions {
  readonly target?: readonly string[]
  readonly margin?: number
  readonly failOnRegression?: boolean
  readonly requireConclusive?: boolean
  readonly runsDir?: string
  readonly json?: boolean
}

/** `assay compare`: two runs, or two targets of one, test by test. */
export function compareCommand(runs: readonly string[], options: CompareOptions): Promise<ExitCode> {
  return orMistake(async () => {
    const host = nodeHost()
    const { runs_folder } = await runPlace(options.runsDir, host)
    const opened: NamedRun[] = []
    for (const run of runs) opened.push({ name: run, run: await openRun(run, runs_folder, host) })
    const compared = compareSides(sidesOf(opened, options.target ?? []), options.margin ?? 0)
    const agreement = judgedAgain(opened)
    for (const { run } of opened) run.close()
    if (haveOtherJudges(opened)) terminal.err(`${warningText(OTHER_JUDGES, paletteFor(process.stderr))}\n`)
    const data = () => ({ comparisons: compared.map(dataOf), agreement })
    const text = () =>
      `${compared.map(each => comparisonText(each, paletteFor(process.stdout))).join('\n')}${agreementText(agreement)}`
    terminal.out(options.json ? safeJson(`${JSON.stringify(data(), null, 2)}\n`) : text())
    return exitCode(compared, options)
  })
}

interface NamedRun {
  readonly name: string
  readonly run: OpenRun
}

const OTHER_JUDGES = 'the two runs were judged by different models: what differs may be the judges'

/** The sides that are held against each other: the targets of one run, or the same target in two. */
function sidesOf(runs: readonly NamedRun[], targets: readonly string[]): [Side, Side][] {
  const [first, second] = runs.map(({ name, run }) => ({
    name: run.info?.run_id ?? name,
    tests: byTarget(outcomeOf(run).tests),
  }))
  if (!first) throw new CannotDo('Name two runs, or one run and two targets.')
  const side = (of: RunTests, target: string): Side => {
    const tests = of.tests.get(target)
    if (!tests)
      throw new CannotDo(`There is no target ${target} in ${of.name}: it has ${[...of.tests.keys()].join(', ')}.`)
    return { label: second && of.tests.size === 1 ? of.name : second ? `${of.name} ${target}` : target, tests }
  }
  if (!second) {
    const [a, b] = targets.length > 0 ? targets : [...first.tests.keys()]
    if (a === undefined || b === undefined || targets.length > 2 || (targets.length === 0 && first.tests.size > 2))
      throw new CannotDo(
        `Name two runs, or two targets of this one with --target: it has ${[...first.tests.keys()].join(', ')}.`,
      )
    return [[side(first, a), side(first, b)]]
  }
  if (targets.length > 2) throw new CannotDo('Name one target for both runs, or one of each.')
  if (targets.length > 0) return [[side(first, targets[0] ?? ''), side(second, targets[1] ?? targets[0] ?? '')]]
  const [only, ...others] = first.tests.keys()
  const [partner, ...partners] = second.tests.keys()
  if (only !== undefined && partner !== undefined && others.length + partners.length === 0)
    return [[side(first, only), side(second, partner)]]
  const common = [...first.tests.keys()].filter(target => second.tests.has(target))
  if (common.length === 0) throw new CannotDo('The runs have no target in common: choose one of each with --target.')
  sayOnlyIn(first, second)
  sayOnlyIn(second, first)
  return common.map(target => [side(first, target), side(second, target)])
}

interface RunTests {
  readonly name: string
  readonly tests: ReadonlyMap<string, readonly TestOutcome[]>
}

/** Targets that have no partner are not compared. */
function sayOnlyIn(one: RunTests, other: RunTests): void {
  const alone = [...one.tests.keys()].filter(target => !other.tests.has(target))
  if (alone.length > 0) terminal.err(`only in ${onOneLine(one.name)}: ${alone.map(onOneLine).join(', ')}\n`)
}

/** How far the judgements agree, where one run has judged the answers of the other again. */
function judgedAgain(runs: readonly NamedRun[]): Agreement | undefined {
  const [first, second] = runs.map(({ run }) => run)
  if (!first?.info || !second?.info) return undefined
  const isAgain = first.info.source === second.info.run_id || second.info.source === first.info.run_id
  return isAgain ? agreementOf(outcomeOf(first).tests, outcomeOf(second).tests) : undefined
}

function agreementText(agreement: Agreement | undefined): string {
  if (!agreement) return ''
  const { tests, share, kappa } = agreement
  const beyond = kappa === undefined ? '' : `, κ ${kappa.toFixed(2)}`
  return `\nthe same answers, judged twice: ${percent(share)} of ${plural(tests, 'test')} have the same verdict${beyond}\n`
}

function haveOtherJudges(runs: readonly NamedRun[]): boolean {
  const [first, second] = runs.map(({ run }) => canonicalJson(run.info?.judges ?? []))
  return second !== undefined && first !== second
}

function dataOf({ pairs, ...comparison }: Comparison) {
  return { ...comparison, pairs: pairs.map(({ outcomes, ...pair }) => pair) }
}

function exitCode(compared: readonly Comparison[], options: CompareOptions): ExitCode {
  if (options.failOnRegression && compared.some(({ verdict }) => verdict === 'worse')) return EXIT.failed
  if (options.requireConclusive && compared.some(({ verdict }) => verdict === 'not shown')) return EXIT.inconclusive
  return compared.every(({ pairs }) => pairs.length === 0) ? EXIT.nothing : EXIT.ok
}
