import { plural } from '../../lib/text/format.ts'
import type { Baseline, BaselineTest } from '../../model/baseline.ts'
import type { Host } from '../../model/host.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { testKey } from '../../model/run-reader.ts'
import { UserError } from '../../model/user-error.ts'
import { conflictedBaseline } from '../../record/baseline-conflicts.ts'
import { baselinePath, writeBaseline } from '../../record/baseline-file.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { baselineOf } from '../../report/baseline/make-baseline.ts'
import { type UpdatedBaseline, updateBaseline } from '../../report/baseline/update-baseline.ts'
import { outcomeOf } from '../../report/outcome/run-outcome.ts'
import { InvalidFile } from '../invalid-file.ts'
import { openRun } from '../open-run.ts'
import { coverageOf } from './covered-tests.ts'
import { DEFAULT_BASELINE, isBaselineName, loadBaseline } from './saved-results.ts'

export interface SaveOptions {
  /** The run to save. Default: the latest one. */
  readonly run?: string | undefined
  /** Default: `main`. */
  readonly name?: string | undefined
  /** Whether tests that the run does not have are removed. */
  readonly replace?: boolean | undefined
  readonly runs_dir?: string | undefined
}

export interface SavedBaseline extends UpdatedBaseline {
  readonly name: string
  readonly path: string
  /** The run that was saved. */
  readonly run: string
  /** Whether the file has changed. */
  readonly is_changed: boolean
  /** Whether conflicts of git were resolved. */
  readonly had_conflicts: boolean
  /** The part of the suites that the run covers, if not all. */
  readonly partial: string | undefined
  /** Number of tests with errors. */
  readonly errors: number
}

/** Saves a run as a baseline. Tests that the run does not cover keep their results. */
export async function saveBaseline(options: SaveOptions, host: Host): Promise<SavedBaseline> {
  const { run: named = 'latest', name = DEFAULT_BASELINE, replace = false, runs_dir } = options
  requireName(name)
  const { settings_folder } = await findProjectFolders(runs_dir, host)
  const path = baselinePath(settings_folder, name)
  const run = await openRun(named, runs_dir, host)
  try {
    const outcome = outcomeOf(run)
    requireFinished(run, outcome)
    const now = baselineOf(run)
    const { before, conflicting, had_conflicts } = replace ? NOTHING : await readBefore(path, now, host)
    const isCovered = await coverageOfRun(run, [...(before?.tests ?? []), ...conflicting], host)
    requireResolved(conflicting, now, isCovered)
    const updated = updateBaseline(before, now, isCovered)
    const is_changed = await writeBaseline(path, updated.baseline, host)
    const errors = outcome.counts.error
    const id = run.info?.run_id ?? named
    return { ...updated, name, path, run: id, is_changed, had_conflicts, partial: outcome.partial, errors }
  } finally {
    run.close()
  }
}

/** Throws where a name cannot be that of a baseline. */
export function requireName(name: string): void {
  if (!isBaselineName(name))
    throw new UserError(
      `${JSON.stringify(name)} cannot name a baseline.`,
      'Use letters, digits, and . _ - inside; `latest` always means the last run.',
    )
}

/** What is missing or mixed in a run would be taken for the truth later. */
function requireFinished(run: RunReader & { readonly damaged: number }, outcome: ReturnType<typeof outcomeOf>): void {
  const id = run.info?.run_id ?? 'The run'
  const what = run.damaged
    ? `${plural(run.damaged, 'result')} of ${id} cannot be read`
    : outcome.not_run > 0
      ? `${id} is not finished: ${plural(outcome.not_run, 'attempt')} not made`
      : outcome.changed.length > 0
        ? `${outcome.changed.join(', ')} changed during ${id}, so its answers come from two versions of the agent`
        : undefined
  if (what === undefined) return
  const advice = outcome.not_run > 0 ? `Finish it first: assay eval --resume=${id}` : 'Make the run again.'
  throw new UserError(`Cannot save a baseline: ${what}.`, advice)
}

/** The baseline before a run is saved to it. */
interface EarlierBaseline {
  readonly before: Baseline | undefined
  /** Tests that git could not merge. */
  readonly conflicting: readonly BaselineTest[]
  /** Whether git could not merge it; not only tests are in conflict. */
  readonly had_conflicts: boolean
}

const NOTHING: EarlierBaseline = { before: undefined, conflicting: [], had_conflicts: false }

/** Reads the baseline; line by line, if it has conflicts. */
async function readBefore(path: string, now: Baseline, host: Host): Promise<EarlierBaseline> {
  const isThere = (await host.files.stat(path).catch(() => undefined)) !== undefined
  if (!isThere) return NOTHING
  try {
    return { ...NOTHING, before: await loadBaseline(path, host) }
  } catch (error) {
    if (!(error instanceof InvalidFile) || !error.diagnostics.some(({ code }) => code === 'baseline-conflict'))
      throw error
    const text = new TextDecoder().decode(await host.files.read(path))
    const { merged, conflicting, targets, files } = conflictedBaseline(text)
    return { before: { ...now, targets, files, tests: [...merged] }, conflicting, had_conflicts: true }
  }
}

/** Throws where git could not merge a test, and the run has no newer result of it. */
function requireResolved(
  conflicting: readonly BaselineTest[],
  now: Baseline,
  isCovered: (test: BaselineTest) => boolean,
): void {
  const keys = new Set(now.tests.map(testKey))
  const [first, ...others] = conflicting.filter(test => !keys.has(testKey(test)) && !isCovered(test))
  if (!first) return
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  throw new UserError(
    `The run cannot resolve the conflicts in the baseline: it has no result of ${first.test_id} on ${first.target}${more}.`,
    'Run all suites and save that run, or use --replace to drop every test that the run does not have.',
  )
}

/** Tells which tests of a baseline are gone, though the run does not name them: those of suites that it ran whole. */
async function coverageOfRun(
  run: RunReader,
  before: readonly BaselineTest[],
  host: Host,
): Promise<(test: BaselineTest) => boolean> {
  const { info } = run
  const isWhole = info && !info.shard && info.source === undefined && info.selected_tests === info.available_tests
  if (!isWhole) return () => false
  const made = [...run.facts(), ...(info.carried?.tests ?? [])]
  const suites = new Set(info.suites.map(({ name }) => name))
  const targets = new Set(made.map(({ target }) => target))
  const files = new Set([...made.map(({ file }) => file), ...info.suites.map(({ file }) => file)])
  return coverageOf({ root: info.root, suites, targets, files, skipped: info.skipped ?? [] }, before, host)
}
