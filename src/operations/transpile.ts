import { dirname, join, resolve } from 'node:path'
import { type Diagnostic, hasErrors, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import type { Host } from '../model/host.ts'
import type { Suite } from '../model/suite.ts'
import { UserError } from '../model/user-error.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { isJsonSuite } from '../parse/file-names.ts'
import { Files, locateDiagnostics } from '../parse/files.ts'
import { type FoundFiles, findSuites } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { readEvals, rebaseEvals } from '../parse/suite/evals-file.ts'
import { rebaseSuite } from '../parse/suite/rebase-paths.ts'
import { type Dialect, evalsToYaml, type TranspileResult, transpile } from '../transpile/transpile.ts'
import { displayPath } from './display-path.ts'
import { type StatedFile, stateFiles, writeFiles } from './transpiled-files.ts'

export interface TranspileOptions {
  /** Where the files go. Default: the folder of the suite. */
  readonly out_dir?: string | undefined
  /** The name under which the statements about an answer are written. */
  readonly dialect: Dialect
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
  | {
      readonly kind: 'made'
      readonly loaded: LoadResult
      readonly suite: Suite
      readonly made: TranspileResult
      readonly folder: string
    }

type MissedFiles = Omit<FoundFiles, 'files' | 'named'>

/** Makes the files that skill-creator reads of a suite. Writes nothing. */
export async function transpileSuite(path: string, options: TranspileOptions, host: Host): Promise<TranspiledSuite> {
  const { files: matches, named, ...found } = await findSuites([path], host)
  // Suites in JSON are results of transpiling.
  const files = matches.filter(file => named.has(file) || !isJsonSuite(file))
  if (files.length === 0 && matches.length > 0) return { kind: 'no-yaml' }
  if (files.length > 1) return { kind: 'several', count: files.length }
  const own = await loadFiles(files, { host, evaluators, isConversion: true })
  const [written] = own.suites
  const folder = written && (options.out_dir === undefined ? dirname(written.file) : resolve(host.cwd, options.out_dir))
  const suite = written && folder && !options.in_memory ? await suiteIn(folder, written, host) : written
  const made = suite && transpile(suite, options.dialect)
  const diagnostics = [...own.diagnostics, ...(await locateDiagnostics(made?.issues ?? [], host))]
  const loaded = { ...own, diagnostics: options.strict ? warningsAsErrors(diagnostics) : diagnostics }
  if (!suite || !made || !folder || hasErrors(loaded.diagnostics)) return { kind: 'invalid', loaded, found }
  return { kind: 'made', loaded, suite, made, folder }
}

/** A suite whose paths are right in files of a folder. */
function suiteIn(folder: string, suite: Suite, host: Host): Promise<Suite> {
  return rebaseSuite(join(folder, 'evals.json'), suite, new Files(host, new Diagnostics()))
}

type MadeSuite = Extract<TranspiledSuite, { kind: 'made' }>

/** Compares transpiled files with those on disk. */
export async function checkTranspiled({ suite, made, folder }: MadeSuite, host: Host): Promise<StatedFile[]> {
  if (made.files.some(({ file }) => join(folder, file) === suite.file))
    throw new UserError(`${displayPath(suite.file, host)} would be overwritten: choose another folder with --out-dir.`)
  return stateFiles(made.files, folder, host)
}

/** Writes transpiled files, over those of others only when forced. */
export async function writeTranspiled(made: MadeSuite, force: boolean, host: Host): Promise<StatedFile[]> {
  const states = await checkTranspiled(made, host)
  await writeFiles(states, made.folder, force, host)
  return states
}

export interface ConvertOptions {
  /** The file that the text is for. Default: one beside the evals. */
  readonly output?: string | undefined
  readonly strict?: boolean | undefined
}

/** The text of an EVAL.yaml, or the problems that prevent it. */
export interface ConvertedEvals {
  readonly loaded: LoadResult
  readonly diagnostics: readonly Diagnostic[]
  readonly text: string | undefined
}

/** Makes the text of an EVAL.yaml of an evals.json. Writes nothing. */
export async function convertEvals(from: string, options: ConvertOptions, host: Host): Promise<ConvertedEvals> {
  const file = resolve(host.cwd, from)
  const loaded = await loadFiles([file], { host, evaluators, isConversion: true })
  // Files may be put in their place later.
  const found = loaded.diagnostics.map(each => (isMissingFile(each) ? { ...each, severity: 'warning' as const } : each))
  const diagnostics = options.strict ? warningsAsErrors(found) : found
  if (hasErrors(diagnostics)) return { loaded, diagnostics, text: undefined }
  const problems = new Diagnostics()
  const files = new Files(host, problems)
  const read = await readEvals(file, { files, diagnostics: problems })
  if (!read) return { loaded, diagnostics: [...diagnostics, ...problems.sorted()], text: undefined }
  const to = options.output === undefined ? file : resolve(host.cwd, options.output)
  return { loaded, diagnostics, text: evalsToYaml(await rebaseEvals(to, read.evals, file, files), evaluators) }
}

/** Whether a file is missing that another file names. */
function isMissingFile({ code, frame }: Diagnostic): boolean {
  return code === 'file-missing' && frame !== undefined
}
