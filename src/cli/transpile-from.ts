import { resolve } from 'node:path'
import { type Diagnostic, hasErrors, strict } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { onOneLine } from '../lib/printable.ts'
import { readEvals } from '../parse/evals-file.ts'
import { Files } from '../parse/files.ts'
import { loadFiles } from '../parse/load-files.ts'
import { Mistakes } from '../parse/mistakes.ts'
import { evalYaml } from '../transpile/eval-yaml.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { paletteFor, shownPath, terminal } from './terminal/terminal.ts'

interface FromOptions {
  readonly output?: string
  readonly strict?: boolean
  readonly force?: boolean
}

/** `assay transpile --from`: an evals.json as an EVAL.yaml. */
export async function transpileFrom(from: string, options: FromOptions): Promise<ExitCode> {
  const host = nodeHost()
  const file = resolve(host.cwd, from)
  const loaded = await loadFiles([file], { host, evaluators })
  // Files may be put in their place later: their paths stay as they are written.
  const found = loaded.diagnostics.map(each => (isMissingFile(each) ? { ...each, severity: 'warning' as const } : each))
  const diagnostics = options.strict ? strict(found) : found
  if (diagnostics.length > 0) terminal.err(diagnosticsText({ ...loaded, diagnostics }, paletteFor(process.stderr)))
  if (hasErrors(diagnostics)) return EXIT.mistakes
  const mistakes = new Mistakes()
  const read = await readEvals(file, { files: new Files(host, mistakes), mistakes })
  if (!read) {
    terminal.err(diagnosticsText({ ...loaded, diagnostics: mistakes.sorted() }, paletteFor(process.stderr)))
    return EXIT.mistakes
  }
  const text = evalYaml(read.evals, evaluators)
  if (options.output === undefined) {
    terminal.out(text)
    return EXIT.ok
  }
  const path = resolve(host.cwd, options.output)
  const shown = onOneLine(shownPath(path))
  const write = options.force ? host.write : host.writeNew
  return write(path, text).then(
    () => {
      terminal.out(`wrote ${shown}\n`)
      return EXIT.ok
    },
    (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EEXIST' ? 'it is there already; --force writes over it' : error.message
      terminal.err(`Cannot write ${shown}: ${onOneLine(why)}\n`)
      return EXIT.mistakes
    },
  )
}

/** A file that is named in another one; what was asked for itself has no line to show. */
function isMissingFile({ code, frame }: Diagnostic): boolean {
  return code === 'file-missing' && frame !== undefined
}
