import { dirname, join, resolve } from 'node:path'
import { hasErrors, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import type { Suite } from '../model/suite.ts'
import { UserError } from '../model/user-error.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { isJsonSuite } from '../parse/file-names.ts'
import { Files, locateDiagnostics } from '../parse/files.ts'
import { findSuites } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { rebaseSuite } from '../parse/suite/rebase-paths.ts'
import { type Dialect, type TranspileResult, transpile } from '../transpile/transpile.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { orMistake } from './or-mistake.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { exitCodeWith } from './terminal/missed.ts'
import { paletteFor, shownPath, terminal } from './terminal/terminal.ts'
import { type StatedFile, stateOf, writeFiles } from './transpiled-files.ts'

export interface TranspileOptions {
  readonly outDir?: string
  readonly stdout?: boolean
  readonly dialect: Dialect
  readonly strict?: boolean
  readonly check?: boolean
  readonly force?: boolean
}

/** `assay transpile`: a suite as the files that the skill-creator reads. */
export async function transpileCommand(path: string, options: TranspileOptions): Promise<ExitCode> {
  const host = nodeHost()
  const { files: found, named, ...missed } = await findSuites([path], host)
  // Suites in JSON are what transpiling makes.
  const files = found.filter(file => named.has(file) || !isJsonSuite(file))
  if (files.length === 0 && found.length > 0) {
    const place = printableLine(shownPath(resolve(host.cwd, path)))
    terminal.err(`No suite in YAML found in ${place}: name one, or convert an evals.json with --from.\n`)
    return EXIT.nothing
  }
  if (files.length > 1) {
    terminal.err(
      `There are ${plural(files.length, 'suite')} in ${printableLine(shownPath(resolve(host.cwd, path)))}: name one of them.\n`,
    )
    return EXIT.mistakes
  }
  const loaded = await loadFiles(files, { host, evaluators, isConversion: true })
  const [written] = loaded.suites
  const folder = written && (options.outDir === undefined ? dirname(written.file) : resolve(host.cwd, options.outDir))
  const suite = written && folder && !options.stdout ? await suiteIn(folder, written, host) : written
  const made = suite && transpile(suite, options.dialect)
  const diagnostics = [...loaded.diagnostics, ...(await locateDiagnostics(made?.issues ?? [], host))]
  const all = options.strict ? warningsAsErrors(diagnostics) : diagnostics
  report({ ...loaded, diagnostics: all })
  if (!suite || !made || !folder || hasErrors(all)) return exitCodeWith(missed, host, EXIT.mistakes)
  return orMistake(() => deliver(suite, made, folder, options, host))
}

/** A suite whose paths are right in files of a folder. */
function suiteIn(folder: string, suite: Suite, host: Host): Promise<Suite> {
  return rebaseSuite(join(folder, 'evals.json'), suite, new Files(host, new Diagnostics()))
}

function report(loaded: LoadResult): void {
  if (loaded.diagnostics.length > 0) terminal.err(diagnosticsText(loaded, paletteFor(process.stderr)))
}

async function deliver(
  suite: Suite,
  { files }: TranspileResult,
  folder: string,
  { stdout, check, force }: TranspileOptions,
  host: Host,
): Promise<ExitCode> {
  if (stdout) {
    const data = files.map(({ file, content }) => ({ file, content }))
    terminal.out(terminalSafeJson(`${JSON.stringify(data, null, 2)}\n`))
    return EXIT.ok
  }
  if (files.some(({ file }) => join(folder, file) === suite.file))
    throw new UserError(`${shownPath(suite.file)} would be written over: say with --out-dir where the files go.`)
  const states = withOwnSets(
    await Promise.all(files.map(async file => ({ ...file, ...(await stateOf(file, folder, host)) }))),
  )
  if (check) {
    const stale = states.filter(({ state }) => state !== 'same')
    for (const { file } of stale)
      terminal.out(`${printableLine(shownPath(join(folder, file)))} is not what would be written\n`)
    return stale.length > 0 ? EXIT.failed : EXIT.ok
  }
  await writeFiles(states, folder, force ?? false, host)
  for (const { file, state } of states)
    terminal.out(`${state === 'same' ? 'unchanged' : 'wrote'} ${printableLine(shownPath(join(folder, file)))}\n`)
  return EXIT.ok
}

/** A trigger set does not say which skill it is for: it is ours where the evals of that skill beside it are. */
function withOwnSets(states: readonly StatedFile[]): StatedFile[] {
  const known = new Set(
    states.flatMap(({ content, state, skill }) =>
      content.startsWith('{') && (state === 'same' || state === 'ours') ? [skill] : [],
    ),
  )
  return states.map(file =>
    file.state === 'ours' && !known.has(file.skill) ? { ...file, state: 'other' as const } : file,
  )
}
