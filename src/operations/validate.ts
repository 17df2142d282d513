import { join } from 'node:path'
import { type Diagnostic, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import type { Host } from '../model/host.ts'
import { defaultTargets, type LoadedConfig, type LocatedDefaultTargets } from '../parse/config.ts'
import { isTargetsFile } from '../parse/file-names.ts'
import { type FoundFiles, findCheckable } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import type { TargetType } from '../spec/targets.ts'
import type { Checked } from './check/tryout.ts'
import { defaultPaths, readNearestConfig } from './config.ts'

export interface ValidateOptions {
  /** Files, folders or globs; `-` is stdin. Default: what the configuration names, else the current folder. */
  readonly paths: readonly string[]
  /** Whether warnings are errors. */
  readonly strict?: boolean | undefined
  /** Whether the targets in use are checked too. */
  readonly targets?: boolean | undefined
  /** Whether checks and tests are also tried, as `assay check` does. */
  readonly deep?: boolean | undefined
}

export interface Validated {
  readonly found: Omit<FoundFiles, 'files'>
  readonly loaded: LoadResult
  readonly diagnostics: readonly Diagnostic[]
  /** What trying the suites came to; its findings are among the diagnostics. */
  readonly checked: Checked | undefined
}

/** Finds every problem in suites, datasets, targets files and the configuration. */
export async function validate(options: ValidateOptions, host: Host): Promise<Validated> {
  const { paths, targets } = options
  const config = paths.length === 0 || targets ? await readNearestConfig(host) : undefined
  const { paths: args = [], eval_patterns } = config && paths.length === 0 ? defaultPaths(config) : { paths }
  const texts = args.includes('-')
    ? new Map([[join(host.cwd, '<stdin>'), await host.processes.readStdin()]])
    : new Map()
  const { files: found, ...missed } = await findCheckable(
    args.filter(arg => arg !== '-'),
    host,
    eval_patterns,
  )
  const files = [...new Set([...texts.keys(), ...found, ...(config?.file === undefined ? [] : [config.file])])]
  const types = targets || files.some(isTargetsFile) ? await allTargetTypes() : []
  const own = await loadFiles(files, { host, evaluators, targetTypes: types, texts })
  const loaded = targets ? await withTargets(own, types, config, host) : own
  const checked = options.deep ? await deepCheck(loaded, texts, host) : undefined
  const all = [...loaded.diagnostics, ...(checked?.diagnostics ?? [])]
  return { found: missed, loaded, checked, diagnostics: options.strict ? warningsAsErrors(all) : all }
}

/** Tries the checks and tests of the suites that have no errors. */
async function deepCheck({ suites }: LoadResult, texts: ReadonlyMap<string, Uint8Array>, host: Host): Promise<Checked> {
  const { tryout } = await import('./check/tryout.ts')
  return tryout(suites, { texts }, host)
}

async function withTargets(
  loaded: LoadResult,
  types: readonly TargetType[],
  config: LoadedConfig | undefined,
  host: Host,
): Promise<LoadResult> {
  const { addTargetDiagnostics } = await import('../parse/targets/load-targets.ts')
  return addTargetDiagnostics(loaded, types, host, defaultsOf(config))
}

/** The targets that tests fall back on, and where they are named. */
function defaultsOf(loaded: LoadedConfig | undefined): LocatedDefaultTargets | undefined {
  return loaded && { ...defaultTargets(loaded.config), at: loaded.at }
}

/** The types of targets, which are loaded only where they are needed. */
async function allTargetTypes(): Promise<TargetType[]> {
  const [{ targetTypes }, { providers }] = await Promise.all([
    import('../spec/targets.ts'),
    import('../providers/index.ts'),
  ])
  return targetTypes(providers)
}
