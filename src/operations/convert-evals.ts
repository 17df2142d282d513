import { resolve } from 'node:path'
import { type Diagnostic, hasErrors, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import type { Host } from '../model/host.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { Files } from '../parse/files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { readEvals, rebaseEvals } from '../parse/suite/evals-file.ts'
import { evalsToYaml } from '../transpile/evals-json/evals-to-yaml.ts'
import type { Format } from '../transpile/transpile.ts'

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
