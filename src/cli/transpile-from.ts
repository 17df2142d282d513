import { resolve } from 'node:path'
import { type Diagnostic, hasErrors, warningsAsErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { Files } from '../parse/files.ts'
import { loadFiles } from '../parse/load-files.ts'
import { readEvals, rebaseEvals } from '../parse/suite/evals-file.ts'
import { evalsToYaml } from '../transpile/transpile.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { orMistake } from './or-mistake.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { paletteFor, terminal } from './terminal/terminal.ts'
import { writeText } from './write-text.ts'

interface FromOptions {
  readonly output?: string
  readonly strict?: boolean
  readonly force?: boolean
}

/** `assay transpile --from`: an evals.json as an EVAL.yaml. */
export async function transpileFrom(from: string, options: FromOptions): Promise<ExitCode> {
  const host = nodeHost()
  const file = resolve(host.cwd, from)
  const loaded = await loadFiles([file], { host, evaluators, isConversion: true })
  // Files may be put in their place later.
  const found = loaded.diagnostics.map(each => (isMissingFile(each) ? { ...each, severity: 'warning' as const } : each))
  const diagnostics = options.strict ? warningsAsErrors(found) : found
  if (diagnostics.length > 0) terminal.err(diagnosticsText({ ...loaded, diagnostics }, paletteFor(process.stderr)))
  if (hasErrors(diagnostics)) return EXIT.mistakes
  const mistakes = new Diagnostics()
  const files = new Files(host, mistakes)
  const read = await readEvals(file, { files, mistakes })
  if (!read) {
    terminal.err(diagnosticsText({ ...loaded, diagnostics: mistakes.sorted() }, paletteFor(process.stderr)))
    return EXIT.mistakes
  }
  const { output } = options
  // What goes to stdout is right for a file beside the evals.
  const to = output === undefined ? file : resolve(host.cwd, output)
  const text = evalsToYaml(await rebaseEvals(to, read.evals, file, files), evaluators)
  return orMistake(async () => {
    if (output === undefined) terminal.out(text)
    else await writeText(output, text, options, host)
    return EXIT.ok
  })
}

/** A file that is named in another one; what was asked for itself has no line to show. */
function isMissingFile({ code, frame }: Diagnostic): boolean {
  return code === 'file-missing' && frame !== undefined
}
