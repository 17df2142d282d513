import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { renderText } from '../../src/diagnostics/render/text.ts'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Check } from '../../src/model/check.ts'
import type { Host } from '../../src/model/host.ts'
import type { Suite } from '../../src/model/suite.ts'
import type { Test } from '../../src/model/test.ts'
import { tryout } from '../../src/operations/check/tryout.ts'
import { checkSkills } from '../../src/operations/skills/check-skills.ts'
import { defaultTargets, loadConfig } from '../../src/parse/config.ts'
import { locateDiagnostics } from '../../src/parse/files.ts'
import { findCheckable } from '../../src/parse/find-files.ts'
import { type LoadResult, loadFiles } from '../../src/parse/load-files.ts'
import { addTargetDiagnostics } from '../../src/parse/targets/load-targets.ts'
import { providers } from '../../src/providers/index.ts'
import { targetTypes } from '../../src/spec/targets.ts'
import { transpile } from '../../src/transpile/transpile.ts'

const CORPUS = join(import.meta.dirname, '../corpus')

// Outside any repository, so that each case is its own root.
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'assay-corpus-')))
cpSync(CORPUS, copy, { recursive: true })

export interface Case {
  readonly name: string
  /** The committed folder with the golden file. */
  readonly source: string
  /** The copy that is loaded. */
  readonly folder: string
}

/** A case is a folder of files; its `args.txt` has the arguments of validate, by default the folder or its `eval_patterns`. */
export function casesIn(kind: 'valid' | 'invalid'): Case[] {
  return readdirSync(join(CORPUS, kind))
    .sort()
    .map(name => ({ name, source: join(CORPUS, kind, name), folder: join(copy, kind, name) }))
}

export async function loadCase({ folder }: Case): Promise<LoadResult> {
  // Independent of the machine: no environment variables, and the oldest supported Node.
  const host = { ...nodeHost(folder), env: {}, node_version: 'v20.19.0' }
  const argsFile = join(folder, 'args.txt')
  const args = existsSync(argsFile) ? readFileSync(argsFile, 'utf8').trim().split('\n') : ['.']
  if (args.includes('--skills'))
    return checkCase(
      args.filter(arg => arg !== '--skills'),
      host,
    )
  const { config, at } = await loadConfig(join(folder, '.assay'), host)
  const { files } = await findCheckable(
    args.filter(arg => !arg.startsWith('--')),
    host,
    existsSync(argsFile) ? undefined : config.eval_patterns,
  )
  const types = targetTypes(providers)
  const loaded = await loadFiles(files, { host, evaluators, targetTypes: types })
  if (args.includes('--transpile')) {
    const issues = loaded.suites.flatMap(suite => transpile(suite).issues)
    return { ...loaded, diagnostics: [...loaded.diagnostics, ...(await locateDiagnostics(issues, host))] }
  }
  if (args.includes('--check')) {
    const { diagnostics } = await tryout(loaded.suites, {}, host)
    return { ...loaded, diagnostics: [...loaded.diagnostics, ...diagnostics] }
  }
  return args.includes('--targets')
    ? addTargetDiagnostics(loaded, types, host, { ...defaultTargets(config), at })
    : loaded
}

/** The diagnostics of `assay skill check`. */
async function checkCase(folders: readonly string[], host: Host): Promise<LoadResult> {
  const { diagnostics } = await checkSkills({ folders }, host)
  return { suites: [], diagnostics, secrets: new Map(), files: 0 }
}

/** The output of `assay validate` in the folder of the case, without the path of the folder. */
export function diagnosticsText({ folder }: Case, { diagnostics }: LoadResult): string {
  const text = diagnostics.map(diagnostic => renderText(diagnostic, relative(folder, diagnostic.file))).join('\n')
  return text.replaceAll(folder, '<case>')
}

/** The loaded model as JSON: every test with its expanded input and its checks. */
export function modelText({ folder }: Case, { suites }: LoadResult): string {
  const text = JSON.stringify(suites.map(suiteModel), null, 2)
  return `${text.replaceAll(folder, '<case>')}\n`
}

function suiteModel({ at, tests, file, ...suite }: Suite) {
  return { file, ...suite, tests: tests.map(testModel) }
}

function testModel({ at, checks, number, ...test }: Test) {
  return { line: at.location().line, ...test, checks: checks.map(checkModel) }
}

function checkModel({ at, settings }: Check): unknown {
  const { evaluator, files, written_name, config, ...check } = settings
  const { evaluators: nested, ...own } = config as { evaluators?: Check[] }
  return {
    line: at.location().line,
    ...check,
    config: nested ? { ...own, evaluators: nested.map(checkModel) } : own,
    ...(files.size > 0 ? { files: [...files.values()].map(({ path }) => path) } : {}),
  }
}
