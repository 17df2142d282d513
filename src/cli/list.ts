import { hasErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Suite } from '../model/suite.ts'
import { findSuites } from '../parse/find-files.ts'
import { loadFiles } from '../parse/load-files.ts'
import { dropCopies } from '../parse/suite/drop-copies.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { hasMistakes, nearestConfig, unnamedSuites } from './read-config.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { exitCodeWith } from './terminal/missed.ts'
import { paletteFor, shownPath, terminal } from './terminal/terminal.ts'

/** `assay list`: the suites and tests that a run would take. */
export async function list(paths: readonly string[], { json }: { readonly json?: boolean }): Promise<ExitCode> {
  const host = nodeHost()
  const config = paths.length > 0 ? undefined : await nearestConfig(host)
  if (config && hasMistakes(config)) return EXIT.mistakes
  const { paths: args, eval_patterns } = config ? unnamedSuites(config) : { paths }
  const found = await findSuites(args, host, eval_patterns)
  const loaded = await loadFiles(found.files, { host, evaluators })
  const { suites, copies } = dropCopies(loaded.suites, found.named)
  const broken = hasErrors(loaded.diagnostics)
  if (broken) terminal.err(diagnosticsText(loaded, paletteFor(process.stderr)))
  terminal.out(
    json ? terminalSafeJson(`${JSON.stringify(suites.map(suiteData), null, 2)}\n`) : suites.map(suiteText).join('\n'),
  )
  return exitCodeWith({ ...found, copies }, host, broken ? EXIT.mistakes : EXIT.ok)
}

function suiteData({ name, description, file, tags, tests }: Suite) {
  return {
    name,
    description,
    file: shownPath(file),
    tags,
    tests: tests.map(({ id, criteria, description, conversation_id, tags, checks, at }) => {
      return {
        id,
        file: shownPath(at.file),
        line: at.line(),
        criteria,
        description,
        conversation_id,
        tags,
        checks: checks.map(check => check.name),
      }
    }),
  }
}

function suiteText({ name, file, tests }: Suite): string {
  const width = tests.reduce((widest, { id }) => Math.min(40, Math.max(widest, id.length)), 0)
  const lines = tests.map(({ id, criteria, description, at }) => {
    const about = (description ?? criteria ?? '').trim().split('\n')[0] ?? ''
    const place = `${shownPath(at.file)}:${at.line()}`
    return printableLine(`  ${id.padEnd(width)}  ${about.length > 70 ? `${about.slice(0, 69)}…` : about}  (${place})`)
  })
  return `${printableLine(name)}  ${plural(tests.length, 'test')}  ${printableLine(shownPath(file))}\n${lines.join('\n')}\n`
}
