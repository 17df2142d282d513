import { failureBound } from '../../lib/statistics/intervals.ts'
import type { Host } from '../../model/host.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import type { Suite } from '../../model/suite.ts'
import { UserError } from '../../model/user-error.ts'
import { findRun } from '../../record/find-run.ts'
import { listRuns } from '../../record/list-runs.ts'
import { type OpenRun, readRun } from '../../record/read-run.ts'

/** What recorded runs show about tests. */
export interface RecordedVerdicts {
  /** How many runs have attempts of these tests. */
  readonly runs: number
  /** Runs that cannot be read. */
  readonly unreadable: readonly string[]
  readonly never_failed: readonly TestRecord[]
  readonly never_passed: readonly TestRecord[]
  /** Groups of tests with the same verdict in every attempt. */
  readonly always_agree: readonly (readonly TestRecord[])[]
}

export interface TestRecord {
  readonly suite: string
  readonly test_id: string
  readonly runs: number
  readonly attempts: number
  /** Highest failure rate that is still plausible, of a test that never failed. */
  readonly failure_bound?: number
}

/** Fewer runs do not show that a test cannot fail, or cannot pass. */
const FEWEST_RUNS_PASSED = 5
const FEWEST_RUNS_FAILED = 3

/** Fewer attempts, or fewer of either verdict, agree by chance. */
const FEWEST_ATTEMPTS = 10
const FEWEST_OF_A_VERDICT = 3

interface History {
  readonly suite: string
  readonly test_id: string
  readonly runs: Set<string>
  /** Whether an attempt passed, by run, target and trial. */
  readonly verdicts: Map<string, boolean>
}

/** Reads the newest runs, and what they show about the tests of suites. */
export async function recordedVerdicts(
  suites: readonly Suite[],
  { runs_folder, newest }: { readonly runs_folder: string; readonly newest: number },
  host: Host,
): Promise<RecordedVerdicts> {
  const histories = new Map(
    suites.flatMap(({ name, tests }) =>
      tests.map(({ id }) => [
        keyOf(name, id),
        { suite: name, test_id: id, runs: new Set<string>(), verdicts: new Map<string, boolean>() },
      ]),
    ),
  )
  const unreadable: string[] = []
  const entries = (await listRuns(runs_folder, host)).filter(({ is_run }) => is_run).slice(0, newest)
  for (const { id, folder } of entries) if (!(await addRun(id, folder, histories, host))) unreadable.push(id)
  const known = [...histories.values()].filter(({ runs }) => runs.size > 0)
  return {
    runs: new Set(known.flatMap(({ runs }) => [...runs])).size,
    unreadable,
    never_failed: known.filter(each => all(each, true) && each.runs.size >= FEWEST_RUNS_PASSED).map(withBound),
    never_passed: known.filter(each => all(each, false) && each.runs.size >= FEWEST_RUNS_FAILED).map(recordOf),
    always_agree: agreeing(known),
  }
}

function keyOf(suite: string, id: string): string {
  return JSON.stringify([suite, id])
}

/** Adds the verdicts of a run; false if it cannot be read. */
async function addRun(
  id: string,
  folder: string,
  histories: ReadonlyMap<string, History>,
  host: Host,
): Promise<boolean> {
  let run: OpenRun | undefined
  try {
    run = await readRun(await findRun(folder, folder, host), host)
    for (const facts of run.facts()) addResult(id, facts, histories)
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  } finally {
    run?.close()
  }
}

/** An answer from the cache repeats an earlier attempt, and an error is no verdict. */
function addResult(run: string, facts: ResultFacts, histories: ReadonlyMap<string, History>): void {
  const history = histories.get(keyOf(facts.suite, facts.test_id))
  if (!history || facts.is_cached || facts.verdict === 'error') return
  history.runs.add(run)
  const attempt = JSON.stringify([run, facts.target, facts.trial, facts.rerun ?? 0])
  history.verdicts.set(attempt, facts.verdict === 'pass')
}

function all({ verdicts }: History, passed: boolean): boolean {
  return [...verdicts.values()].every(verdict => verdict === passed)
}

function recordOf({ suite, test_id, runs, verdicts }: History): TestRecord {
  return { suite, test_id, runs: runs.size, attempts: verdicts.size }
}

function withBound(history: History): TestRecord {
  return { ...recordOf(history), failure_bound: failureBound(history.verdicts.size) }
}

/** Groups tests of a suite with the same verdicts in the same attempts. */
function agreeing(histories: readonly History[]): TestRecord[][] {
  const groups = new Map<string, TestRecord[]>()
  for (const history of histories) {
    const { suite, verdicts } = history
    const passed = [...verdicts.values()].filter(verdict => verdict).length
    if (verdicts.size < FEWEST_ATTEMPTS || Math.min(passed, verdicts.size - passed) < FEWEST_OF_A_VERDICT) continue
    const pattern = JSON.stringify([suite, [...verdicts].sort()])
    groups.set(pattern, [...(groups.get(pattern) ?? []), recordOf(history)])
  }
  return [...groups.values()].filter(group => group.length > 1)
}
