import { dirname } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { groupBy } from '../../lib/collections.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { shortHash } from '../../lib/sha256.ts'
import { printableLine } from '../../lib/text/escape.ts'
import type { Arm, Attempt } from '../../model/attempt.ts'
import type { ComparedRuns, RecordedText, RunComparison } from '../../model/compared-runs.ts'
import { canCompare, comparisonsOn, isWithRun } from '../../model/comparison.ts'
import { someEvaluator } from '../../model/evaluators-in.ts'
import type { Host } from '../../model/host.ts'
import type { FileHashes, TargetContents } from '../../model/plan.ts'
import { isAnswered, type Recording } from '../../model/recordings.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { testInArm } from '../../model/variant.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { Identities } from '../../plan/identity.ts'
import type { SuiteTests } from '../../plan/make-plan.ts'
import { findRun, latestRun } from '../../record/find-run.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { readAttempts } from '../../record/recordings.ts'
import { RunError } from '../../record/run-error.ts'

/** Where the runs that checks compare with are. */
export interface ComparedRunsOptions {
  /** Default: the runs folder of the project. */
  readonly runs_folder?: string | undefined
  /** The run that is resumed or graded, or was the newest one: `latest` is the run before it. Default: `latest` is the newest run. */
  readonly after?: { readonly previous?: string | undefined } | undefined
}

interface ComparedPlan {
  readonly selected: readonly SuiteTests[]
  armsOf(suite: Suite, test: Test): readonly Arm[]
  readonly hashes: FileHashes
  readonly contents: TargetContents
}

/** The runs that checks compare with, or why they cannot be compared with. */
interface LoadedComparedRuns {
  /** Undefined if no check compares with a run. */
  readonly runs: ComparedRuns | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the answers of earlier runs that checks compare with, and reports tests that they have no answer to. */
export async function loadComparedRuns(
  plan: ComparedPlan,
  options: ComparedRunsOptions,
  host: Host,
): Promise<LoadedComparedRuns> {
  const diagnostics = new Diagnostics()
  const files = new Files(host, diagnostics)
  const identities = new Identities(plan.hashes, plan.contents)
  let runs: RecordedRuns | undefined
  for (const { suite, tests } of plan.selected) {
    if (!someEvaluator(tests, canCompare)) continue
    for (const test of tests) {
      for (const { target, variant } of plan.armsOf(suite, test)) {
        for (const comparison of [...comparisonsOn(test.checks, target)].filter(isWithRun)) {
          runs ??= await RecordedRuns.open(options, host)
          await runs.load(comparison)
          const request_id = identities.request(suite, testInArm(test, { variant }))
          const found = runs.find(comparison, { suite, test, target, request_id })
          if (!('problem' in found)) continue
          const at = comparison.check.at.child('against')
          await files.read(at.file)
          diagnostics.add({ code: 'no-comparison', at, message: found.problem, hint: found.hint })
        }
      }
    }
  }
  return { runs, diagnostics: diagnostics.sorted() }
}

interface Missing {
  readonly problem: string
  readonly hint: string
}

type TestOnTarget = Pick<Attempt, 'suite' | 'test' | 'target' | 'request_id'>

class RecordedRuns implements ComparedRuns {
  readonly #runsFolder: string
  readonly #latest: string | undefined
  readonly #host: Host
  /** By name and the folder from which a path starts. */
  readonly #runs = new Map<string, ReadonlyMap<string, readonly Recording[]> | Missing>()

  private constructor(runsFolder: string, latest: string | undefined, host: Host) {
    this.#runsFolder = runsFolder
    this.#latest = latest
    this.#host = host
  }

  static async open({ runs_folder, after }: ComparedRunsOptions, host: Host): Promise<RecordedRuns> {
    const folder = runs_folder ?? (await findProjectFolders(undefined, host)).runs_folder
    return new RecordedRuns(folder, after ? after.previous : await latestRun(folder, host), host)
  }

  /** Reads a run, once. */
  async load(comparison: RunComparison): Promise<void> {
    const key = keyOf(comparison)
    if (!this.#runs.has(key)) this.#runs.set(key, await this.#read(comparison))
  }

  async #read({ check, other }: RunComparison): Promise<ReadonlyMap<string, readonly Recording[]> | Missing> {
    const run = other.run === 'latest' ? this.#latest : other.run
    if (run === undefined)
      return { problem: 'there is no earlier run to compare with', hint: 'make a run first, without this check' }
    try {
      const found = await findRun(run, this.#runsFolder, this.#host, dirname(check.at.file))
      const answered = (await readAttempts(found, this.#host)).filter(isAnswered)
      return groupBy(answered, ({ test_id }) => test_id)
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      return { problem: printableLine(error.message), hint: 'name a run with its id, `latest` or its folder' }
    }
  }

  hashOf(comparison: RunComparison, { suite, test }: Pick<Attempt, 'suite' | 'test'>): string {
    const answers = this.#answersTo(comparison, suite, test).map(({ target, trial, request_id, answer }) =>
      canonicalJson([target, trial, request_id, answer.text]),
    )
    return shortHash(answers.sort().join('\n'))
  }

  textFor(comparison: RunComparison, attempt: Attempt): RecordedText {
    const found = this.find(comparison, attempt)
    if ('problem' in found) return found
    const answer = found.find(({ trial }) => trial === attempt.trial) ?? found[0]
    return answer ? { text: answer.answer.text } : { problem: 'the run has no answer to compare with' }
  }

  /** The answers of the run that an answer of a target is compared with, by trial. */
  find(comparison: RunComparison, { suite, test, target, request_id }: TestOnTarget): readonly Recording[] | Missing {
    const run = this.#runs.get(keyOf(comparison))
    if (run && 'problem' in run) return run
    const name = printableLine(comparison.other.run)
    const all = this.#answersTo(comparison, suite, test)
    if (all.length === 0)
      return {
        problem: `run ${name} has no answer to the test ${printableLine(test.id)}`,
        hint: 'compare with a run that has one, or give the check only to tests that it has',
      }
    const same = all.filter(recording => recording.request_id === request_id)
    if (same.length === 0)
      return {
        problem: `the test ${printableLine(test.id)} asks something else than in run ${name}, so the answers cannot be compared`,
        hint: 'compare with a run of the test as it is now',
      }
    const targets = [...new Set(same.map(recording => recording.target))]
    const wanted = targets.includes(target.name) ? target.name : targets[0]
    if (targets.length > 1 && !targets.includes(target.name))
      return {
        problem: `run ${name} has answers of ${targets.map(printableLine).join(', ')}, but not of ${printableLine(target.name)}`,
        hint: 'compare with a run of the same target, or of only one target',
      }
    return same.filter(recording => recording.target === wanted).sort((a, b) => a.trial - b.trial)
  }

  /** The answers to a test: those of the same suite, if the run has it. */
  #answersTo(comparison: RunComparison, suite: Suite, test: Test): readonly Recording[] {
    const run = this.#runs.get(keyOf(comparison))
    const all = run && !('problem' in run) ? (run.get(test.id) ?? []) : []
    const own = all.filter(recording => recording.suite === suite.name)
    return own.length > 0 ? own : all
  }
}

function keyOf({ check, other }: RunComparison): string {
  return JSON.stringify([other.run, dirname(check.at.file)])
}
