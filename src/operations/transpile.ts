import { dirname, join, resolve } from 'node:path'
import { hasErrors, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import { isBelow } from '../lib/paths.ts'
import type { Host } from '../model/host.ts'
import type { Suite } from '../model/suite.ts'
import { UserError } from '../model/user-error.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { isJsonSuite } from '../parse/file-names.ts'
import { Files, locateDiagnostics } from '../parse/files.ts'
import { type FoundFiles, findSuites } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { isCaseFile } from '../parse/plugin-evals/find-evals.ts'
import { rebaseSuite } from '../parse/suite/rebase-paths.ts'
import { type Format, folderFor, type OutputFormat, transpile } from '../transpile/transpile.ts'
import type { TranspileResult } from '../transpile/transpiled-file.ts'
import { displayPath } from './display-path.ts'
import { requireFormat } from './suite-format.ts'
import { type FolderState, stateFiles, writeFiles } from './transpiled-files.ts'

export type { Format, OutputFormat } from '../transpile/transpile.ts'

export interface TranspileOptions {
  /** The format that the suite must be in. Default: any. */
  readonly from?: Format | undefined
  /** Where the files go. Default: the folder of the suite; for plugin evals, its folder `evals`. */
  readonly out_dir?: string | undefined
  /** Default: an evals.json with the keys that each of its readers knows. */
  readonly format?: OutputFormat | undefined
  /** Whether warnings are errors. */
  readonly strict?: boolean | undefined
  /** Whether the files are only made, for stdout, and stay as they are on disk. */
  readonly in_memory?: boolean | undefined
}

/** A transpiled suite, or the reason why nothing was made. */
export type TranspiledSuite =
  /** There are only suites in JSON. */
  | { readonly kind: 'no-yaml' }
  | { readonly kind: 'several'; readonly count: number }
  | { readonly kind: 'invalid'; readonly loaded: LoadResult; readonly found: MissedFiles }
  /** The format cannot express any test. */
  | { readonly kind: 'nothing'; readonly loaded: LoadResult }
  | {
      readonly kind: 'made'
      readonly loaded: LoadResult
      readonly suite: Suite
      readonly made: TranspileResult
      readonly folder: string
    }

type MissedFiles = Omit<FoundFiles, 'files' | 'named'>

/** Makes the files of a suite in another format. Writes nothing. */
export async function transpileSuite(path: string, options: TranspileOptions, host: Host): Promise<TranspiledSuite> {
  const { files: matches, named, ...found } = await findSuites([path], host)
  // Suites in JSON are results of transpiling.
  const files = matches.filter(file => named.has(file) || !isJsonSuite(file))
  if (files.length === 0 && matches.length > 0) return { kind: 'no-yaml' }
  if (files.length > 1) return { kind: 'several', count: files.length }
  if (files[0] !== undefined) await requireFormat(files[0], options.from, host)
  const own = await loadFiles(files, { host, evaluators, isConversion: true })
  const [written] = own.suites
  const { format = 'evals-json', out_dir } = options
  const folder =
    written && (out_dir === undefined ? folderFor(format, dirname(written.file)) : resolve(host.cwd, out_dir))
  const suite = written && folder && !options.in_memory ? await suiteIn(folder, written, host) : written
  const made = suite && transpile(suite, format, folder)
  const diagnostics = [...own.diagnostics, ...(await locateDiagnostics(made?.issues ?? [], host))]
  const loaded = { ...own, diagnostics: options.strict ? warningsAsErrors(diagnostics) : diagnostics }
  if (!suite || !made || !folder || hasErrors(loaded.diagnostics)) return { kind: 'invalid', loaded, found }
  if (made.files.length === 0) return { kind: 'nothing', loaded }
  return { kind: 'made', loaded, suite, made, folder }
}

/** A suite whose paths are right in files of a folder. */
function suiteIn(folder: string, suite: Suite, host: Host): Promise<Suite> {
  return rebaseSuite(join(folder, 'evals.json'), suite, new Files(host, new Diagnostics()))
}

type MadeSuite = Extract<TranspiledSuite, { kind: 'made' }>

/** Compares transpiled files with those on disk. */
export async function checkTranspiled({ suite, made, folder }: MadeSuite, host: Host): Promise<FolderState> {
  const isOwn = (path: string) => path === suite.file || (isCaseFile(path) && isBelow(path, suite.file))
  if (made.files.some(({ file }) => isOwn(join(folder, file))))
    throw new UserError(`${displayPath(suite.file, host)} would be overwritten: choose another folder with --out-dir.`)
  return stateFiles(made, folder, host)
}

/** Writes transpiled files, over those of others only when forced. */
export async function writeTranspiled(made: MadeSuite, force: boolean, host: Host): Promise<FolderState> {
  const states = await checkTranspiled(made, host)
  await writeFiles(states, made.folder, force, host)
  return states
}
