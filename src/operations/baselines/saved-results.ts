import { relative } from 'node:path'
import { hasErrors } from '../../diagnostics/diagnostic.ts'
import { parseJson } from '../../lib/json/parse-json.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Baseline } from '../../model/baseline.ts'
import type { Host } from '../../model/host.ts'
import type { Reference } from '../../model/test-status.ts'
import { UserError } from '../../model/user-error.ts'
import { isBaseline, parseBaseline, readBaseline } from '../../parse/baseline.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { Source } from '../../parse/yaml/source.ts'
import { baselinePath } from '../../record/baseline-file.ts'
import { findRun, type RunFiles } from '../../record/find-run.ts'
import { runGit } from '../../record/git.ts'
import { findProjectFolders, type ProjectFolders } from '../../record/project-folders.ts'
import { type OpenRun, readRun } from '../../record/read-run.ts'
import { comparedBaseline } from '../../report/baseline/compared-baseline.ts'
import { baselineOf } from '../../report/baseline/make-baseline.ts'
import { type ComparedRun, comparedRunOf, type ReadOptions } from '../../report/compare/compared-run.ts'
import { displayPath } from '../display-path.ts'
import { InvalidFile } from '../invalid-file.ts'

/** Results that were saved: a baseline, or a run. */
type SavedResults =
  | { readonly kind: 'baseline'; readonly name: string; readonly baseline: Baseline }
  | { readonly kind: 'run'; readonly name: string; readonly found: RunFiles }

/** The baseline that a command uses where none is named. */
export const DEFAULT_BASELINE = 'main'

/** Reads saved results as one side of a comparison: a baseline, a run, a file or `git:REF`. */
export async function readCompared(
  named: string,
  options: ReadOptions,
  runsDir: string | undefined,
  host: Host,
): Promise<ComparedRun> {
  const saved = await findSaved(named, await findProjectFolders(runsDir, host), host)
  if (saved.kind === 'baseline') return comparedBaseline(saved.name, saved.baseline, options)
  return readWholeRun(saved.found, run => comparedRunOf(saved.name, run, options), host)
}

/** Reads saved results as a reference for `--affected` and `assay status`. */
export async function readReference(named: string, folders: ProjectFolders, host: Host): Promise<Reference> {
  const saved = await findSaved(named, folders, host)
  if (saved.kind === 'baseline') return { name: `baseline ${saved.name}`, baseline: saved.baseline }
  return readWholeRun(
    saved.found,
    run => ({ name: `run ${run.info?.run_id ?? saved.name}`, baseline: baselineOf(run) }),
    host,
  )
}

/** Finds what a name means: `git:REF`, a file, a baseline, or a run. */
async function findSaved(named: string, folders: ProjectFolders, host: Host): Promise<SavedResults> {
  if (named.startsWith('git:')) return baselineInGit(named, folders, host)
  const path = baselinePath(folders.settings_folder, named)
  if (isBaselineName(named) && (await host.files.stat(path).catch(() => undefined)))
    return { kind: 'baseline', name: named, baseline: await loadBaseline(path, host) }
  const found = await findRun(named, folders.runs_folder, host).catch(error => {
    throw withBaselineHint(error, named)
  })
  if (await isBaselineAt(found.results, host))
    return { kind: 'baseline', name: named, baseline: await loadBaseline(found.results, host) }
  return { kind: 'run', name: named, found }
}

/** Whether a text may name a baseline: letters, digits, and `.`, `_`, `-` inside. */
export function isBaselineName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,99}$/u.test(name) && name !== 'latest'
}

function withBaselineHint(error: unknown, named: string): unknown {
  if (!(error instanceof UserError) || !isBaselineName(named)) return error
  const advice = `No baseline ${named} either: \`assay baseline save${named === DEFAULT_BASELINE ? '' : ` --name ${named}`}\` saves the last run as one.`
  return new UserError(error.message, error.advice ?? advice)
}

/** A baseline may be anywhere, if it is named by its path. */
async function isBaselineAt(path: string, host: Host): Promise<boolean> {
  if (!path.endsWith('.json')) return false
  const bytes = await host.files.read(path).catch(() => undefined)
  const text = bytes && new TextDecoder().decode(bytes)
  return text !== undefined && (isBaseline(parseJson(text)) || /^\s*\{\s*"assay_baseline"/.test(text))
}

/** Loads a baseline. Throws `InvalidFile` with its diagnostics if it cannot be read whole. */
export async function loadBaseline(path: string, host: Host): Promise<Baseline> {
  const diagnostics = new Diagnostics()
  const baseline = await readBaseline(path, new Files(host, diagnostics), diagnostics)
  return requireValid(baseline, diagnostics)
}

function requireValid(baseline: Baseline | undefined, diagnostics: Diagnostics): Baseline {
  const found = diagnostics.sorted()
  if (!baseline || hasErrors(found)) throw new InvalidFile(found)
  return baseline
}

/** Reads a baseline as it is at a commit: `git:REF`, or `git:REF:NAME` for another one than `main`. */
async function baselineInGit(named: string, folders: ProjectFolders, host: Host): Promise<SavedResults> {
  const [ref = '', name = DEFAULT_BASELINE, ...more] = named.slice('git:'.length).split(':')
  if (more.length > 0 || ref === '' || ref.startsWith('-') || !isBaselineName(name))
    throw new UserError(`${named} does not name a baseline: write git:REF, or git:REF:NAME.`)
  const path = baselinePath(folders.settings_folder, name)
  const file = relative(folders.root, path)
  const commit = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    folders.root,
    host,
  )
  if (!commit) throw new UserError(`Cannot read ${named}: git cannot be run.`)
  const id = commit.stdout.trim()
  if (commit.code !== 0)
    throw new UserError(
      `Cannot read ${named}: there is no commit ${printableLine(ref)} in this repository.`,
      'Fetch it first, as in `git fetch --depth=1 origin main`, or name another one.',
    )
  const shown = await runGit(['cat-file', 'blob', `${id}:./${file}`], folders.root, host)
  if (shown?.code !== 0)
    throw new UserError(
      `Cannot read ${named}: ${file} does not exist at commit ${id.slice(0, 10)}.`,
      'Save a baseline with `assay baseline save` and commit it there.',
    )
  const diagnostics = new Diagnostics()
  const source = new Source(`${path} at ${printableLine(ref)}`, shown.stdout)
  diagnostics.registerSource(source)
  return { kind: 'baseline', name: named, baseline: requireValid(parseBaseline(source, diagnostics), diagnostics) }
}

/** Reads a run that has no damage: what is missing in a damaged one could decide. */
async function readWholeRun<Read>(found: RunFiles, read: (run: OpenRun) => Read, host: Host): Promise<Read> {
  const run = await readRun(found, host)
  try {
    requireWhole(run, displayPath(found.results, host))
    return read(run)
  } finally {
    run.close()
  }
}

/** Throws where a run has damage, or no results: what is missing could decide. */
export function requireWhole(run: OpenRun, file: string): void {
  const { damaged } = run
  const [first] = run.facts()
  if (!first && !run.info && damaged > 0)
    throw new UserError(`${file} is not a run: it has no results that can be read.`)
  if (damaged > 0)
    throw new UserError(
      `Cannot compare ${file}: ${plural(damaged, 'result')} ${damaged === 1 ? 'is' : 'are'} damaged or missing.`,
      'Make the run again, or restore the file: the results that are missing could decide.',
    )
  if (!first && !run.info?.carried) throw new UserError(`Cannot compare ${file}: it has no results.`)
}
