import { dirname, join, relative, resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { evaluators } from '../../evaluators/index.ts'
import { lookupOf } from '../../evaluators/lookup.ts'
import type { ImportedRun } from '../../import/format.ts'
import { type ImportNote, ImportNotes, type TestCounts } from '../../import/import-notes.ts'
import type { Host } from '../../model/host.ts'
import { loadFiles } from '../../parse/load-files.ts'
import { compactSuite } from './compact-suite.ts'
import { type FoundSource, findSources } from './find-sources.ts'
import type { LoadableSuite } from './loadable.ts'
import { suiteFiles } from './suite-files.ts'
import { withoutSuites } from './without-suites.ts'
import { withLossReport, writeGroups } from './write-groups.ts'
import { writeImportedRun } from './write-run.ts'

export interface ImportOptions {
  /** Name of the format. Default: recognized by content. */
  readonly from?: string | undefined
  /** Folder of the suites. Default: that of each source. */
  readonly output?: string | undefined
  readonly runs_dir?: string | undefined
  /** Whether nothing is written. */
  readonly dry_run?: boolean | undefined
  readonly force?: boolean | undefined
  /** Whether nothing is written if something is approximated or left out. */
  readonly strict?: boolean | undefined
}

/** What was imported. */
export interface ImportResult {
  /** Titles of the formats, and how many sources have each. */
  readonly formats: ReadonlyMap<string, number>
  readonly tests: TestCounts
  readonly notes: readonly ImportNote[]
  /** Absolute paths of the files, and whether each was or would be written. */
  readonly files: readonly { readonly path: string; readonly isNew: boolean }[]
  /** Absolute path of the file with every loss; undefined if nothing is lost, or no suite is written. */
  readonly report: string | undefined
  /** Targets that are missing in a targets file of the user, which is not changed. */
  readonly missing_targets: readonly { readonly file: string; readonly text: string }[]
  /** Folders of runs; names of those that would be written. */
  readonly runs: readonly string[]
  /** Errors of the written suites. Warnings are left to `assay validate`. */
  readonly errors: readonly Diagnostic[]
  readonly needs_judge: boolean
  readonly is_refused: boolean
}

/** Converts suites and results of other tools, and writes them. */
export async function importSuites(path: string, options: ImportOptions, host: Host): Promise<ImportResult> {
  const { folder, sources: found } = await findSources(path, options.from, host)
  const sources = options.from === undefined ? await withoutSuites(found, host) : found
  const notes = new ImportNotes()
  const lookup = lookupOf(evaluators)
  const hasType = (type: string) => lookup.has(type)
  const suites: LoadableSuite[] = []
  const runs: ImportedRun[] = []
  for (const source of sources) {
    const output = outputFolder(source, folder, options.output, host)
    const imported = await source.format.convert(source.source, { files: source.files, notes, output, hasType })
    for (const suite of imported.suites ?? [])
      suites.push(await compactSuite({ ...suite, output, source: source.source.file }, notes, host))
    runs.push(...(imported.runs ?? []))
  }
  const { groups: made, missing_targets } = await suiteFiles(suites, host)
  const { groups, report } = withLossReport(made, options.output ?? folder, notes, host)
  const is_refused = options.strict === true && notes.hasLosses
  const isWritten = !options.dry_run && !is_refused
  const files = await writeGroups(groups, { isWritten, force: options.force === true }, host)
  const written: string[] = []
  for (const run of runs) written.push(isWritten ? await writeImportedRun(run, options.runs_dir, host) : run.label)
  const loaded = isWritten
    ? await loadFiles(
        files.flatMap(({ path }) => (isSuite(path) ? [path] : [])),
        { host, evaluators },
      )
    : undefined
  return {
    formats: countFormats(sources),
    tests: notes.tests,
    notes: notes.notes,
    files,
    report,
    missing_targets,
    runs: written,
    errors: loaded?.diagnostics.filter(({ severity }) => severity === 'error') ?? [],
    needs_judge: suites.some(({ needs_judge }) => needs_judge),
    is_refused,
  }
}

function isSuite(path: string): boolean {
  return /(?:^|[/\\])EVAL\.yaml$|\.eval\.yaml$/.test(path)
}

/** The place of a source in the output folder is that in the folder which was given. */
function outputFolder({ source }: FoundSource, folder: string, output: string | undefined, host: Host): string {
  const home = dirname(source.file)
  return output === undefined ? home : join(resolve(host.cwd, output), relative(folder, home))
}

function countFormats(sources: readonly FoundSource[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { format } of sources) counts.set(format.title, (counts.get(format.title) ?? 0) + 1)
  return counts
}
