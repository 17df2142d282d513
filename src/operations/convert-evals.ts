import { resolve } from 'node:path'
import { type Diagnostic, hasErrors, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import { lookupOf } from '../evaluators/lookup.ts'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { Files } from '../parse/files.ts'
import { findSuites } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { readPluginEvals } from '../parse/plugin-evals/read-plugin-evals.ts'
import { rebasePluginEvals } from '../parse/plugin-evals/rebase-plugin-evals.ts'
import { readEvals, rebaseEvals } from '../parse/suite/evals-file.ts'
import { evalsToYaml } from '../transpile/evals-json/evals-to-yaml.ts'
import { suiteYaml, targetsYaml } from '../transpile/suite-yaml.ts'
import type { Format } from '../transpile/transpile.ts'
import { displayPath } from './display-path.ts'
import { requireFormat } from './suite-format.ts'

export interface ConvertOptions {
  /** The format that the evals must be in. Default: any. */
  readonly format?: Format | undefined
  /** The file that the text is for. Default: one beside the evals. */
  readonly output?: string | undefined
  readonly strict?: boolean | undefined
}

/** The text of an EVAL.yaml, or the problems that prevent it. */
export interface ConvertedEvals {
  readonly loaded: LoadResult
  readonly diagnostics: readonly Diagnostic[]
  readonly text: string | undefined
  /** The targets that the suite needs, as a part of a targets file. */
  readonly targets?: string | undefined
}

/** Makes the text of an EVAL.yaml of an evals.json, a trigger set or a plugin. Writes nothing. */
export async function convertEvals(from: string, options: ConvertOptions, host: Host): Promise<ConvertedEvals> {
  const file = await findInput(from, host)
  const isPlugin = await requireFormat(file, options.format, host)
  const loaded = await loadFiles([file], { host, evaluators, isConversion: true })
  // Files may be put in their place later.
  const found = loaded.diagnostics.map(each => (isMissingFile(each) ? { ...each, severity: 'warning' as const } : each))
  const diagnostics = options.strict ? warningsAsErrors(found) : found
  if (hasErrors(diagnostics)) return { loaded, diagnostics, text: undefined }
  const problems = new Diagnostics()
  const reading: Reading = { file, files: new Files(host, problems), problems, output: options.output }
  const text = isPlugin ? await pluginText(reading) : await evalsText(reading)
  return { loaded, diagnostics: [...diagnostics, ...problems.sorted()], text: undefined, ...text }
}

/** Finds the one file or folder of evals that a path names. */
async function findInput(from: string, host: Host): Promise<string> {
  const { files } = await findSuites([from], host)
  const path = resolve(host.cwd, from)
  if (files.length > 1) throw new UserError(`There are ${files.length} suites in ${displayPath(path, host)}: name one.`)
  return files[0] ?? path
}

interface Reading {
  readonly file: string
  readonly files: Files
  readonly problems: Diagnostics
  readonly output: string | undefined
}

type Text = Pick<ConvertedEvals, 'text' | 'targets'>

async function evalsText({ file, files, problems, output }: Reading): Promise<Text | undefined> {
  const read = await readEvals(file, { files, diagnostics: problems })
  if (!read) return undefined
  const to = output === undefined ? file : resolve(files.host.cwd, output)
  return { text: evalsToYaml(await rebaseEvals(to, read.evals, file, files), evaluators) }
}

async function pluginText({ file, files, problems, output }: Reading): Promise<Text> {
  const lookup = lookupOf(evaluators)
  const context = { files, diagnostics: problems, lookup, isConversion: true, today: undefined, otherFormats: [] }
  const to = output === undefined ? file : resolve(files.host.cwd, output)
  const { suite, tests, targets } = rebasePluginEvals(to, await readPluginEvals(file, context))
  return { text: suiteYaml(suite, tests), targets: targetsYaml(targets) }
}

/** Whether a file is missing that another file names. */
function isMissingFile({ code, frame }: Diagnostic): boolean {
  return code === 'file-missing' && frame !== undefined
}
