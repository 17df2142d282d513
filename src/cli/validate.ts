import { join } from 'node:path'
import { type Diagnostic, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { renderGithub } from '../diagnostics/render/github.ts'
import { renderJson } from '../diagnostics/render/json.ts'
import { renderSarif } from '../diagnostics/render/sarif.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { createRedactor } from '../lib/redaction/redactor.ts'
import { defaultTargets, type LoadedConfig, type LocatedDefaultTargets } from '../parse/config.ts'
import { findCheckable, isTargetsFile } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { addTargetDiagnostics } from '../parse/targets/load-targets.ts'
import type { TargetType } from '../spec/targets.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { nearestConfig, unnamedSuites } from './read-config.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { exitCodeWith } from './terminal/missed.ts'
import { paletteFor, shownPath, terminal } from './terminal/terminal.ts'
import { version } from './version.ts'

interface ValidateOptions {
  readonly format: 'text' | 'json' | 'sarif' | 'github'
  readonly strict?: boolean
  readonly maxWarnings?: number
  readonly targets?: boolean
}

/** `assay validate`: every mistake of every file, at once. */
export async function validate(paths: readonly string[], options: ValidateOptions): Promise<ExitCode> {
  const host = nodeHost()
  const config = paths.length === 0 || options.targets ? await nearestConfig(host) : undefined
  const { paths: args, eval_patterns } = config && paths.length === 0 ? unnamedSuites(config) : { paths }
  const texts = args.includes('-')
    ? new Map([[join(host.cwd, '<stdin>'), await host.processes.readStdin()]])
    : new Map()
  const { files: found, ...missed } = await findCheckable(
    args.filter(arg => arg !== '-'),
    host,
    eval_patterns,
  )
  const files = [...new Set([...texts.keys(), ...found, ...(config?.file === undefined ? [] : [config.file])])]
  const types = options.targets || files.some(isTargetsFile) ? await allTargetTypes() : []
  const own = await loadFiles(files, { host, evaluators, targetTypes: types, texts })
  const loaded = options.targets ? await addTargetDiagnostics(own, types, host, defaultsOf(config)) : own
  const diagnostics = options.strict ? warningsAsErrors(loaded.diagnostics) : loaded.diagnostics

  terminal.redact = createRedactor(loaded.secrets).text
  terminal.out(rendered({ ...loaded, diagnostics }, options.format))
  return exitCodeWith(missed, host, exitCode(diagnostics, options.maxWarnings))
}

/** The targets that tests fall back on, and where that is said. */
function defaultsOf(loaded: LoadedConfig | undefined): LocatedDefaultTargets | undefined {
  return loaded && { ...defaultTargets(loaded.config), at: loaded.at }
}

/** How targets are written; loaded only where somebody asks. */
async function allTargetTypes(): Promise<TargetType[]> {
  const [{ targetTypes }, { providers }] = await Promise.all([
    import('../spec/targets.ts'),
    import('../providers/index.ts'),
  ])
  return targetTypes(providers)
}

function rendered(loaded: LoadResult, format: ValidateOptions['format']): string {
  const { diagnostics } = loaded
  const isEmpty = loaded.files === 0 && diagnostics.length === 0
  switch (format) {
    case 'json':
      return renderJson(diagnostics, shownPath)
    case 'sarif':
      return renderSarif(diagnostics, shownPath, version)
    case 'github':
      return renderGithub(diagnostics, shownPath)
    case 'text':
      return isEmpty ? '' : diagnosticsText(loaded, paletteFor(process.stdout))
  }
}

function exitCode(diagnostics: readonly Diagnostic[], maxWarnings = Number.POSITIVE_INFINITY): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return errors > 0 || diagnostics.length - errors > maxWarnings ? EXIT.mistakes : EXIT.ok
}
