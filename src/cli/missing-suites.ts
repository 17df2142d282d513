import { resolve } from 'node:path'
import { mayBeNotUtf8 } from '../lib/paths.ts'
import { globCost } from '../lib/patterns.ts'
import { printable } from '../lib/text/escape.ts'
import type { CommandContext } from './command-context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** The part of a search for suites that is reported. */
interface SuiteSearch {
  /** Arguments that led to nothing. */
  readonly nothing: readonly string[]
  /** Names and patterns that were searched. */
  readonly names: readonly string[]
  /** Folders that cannot be read. */
  readonly closed: readonly string[]
  /** Suites that are left out, since others have their tests. */
  readonly copies?: readonly { readonly file: string; readonly of: string }[]
}

/** Reports suites that were left out, not found or not readable, and returns the exit code with that. */
export function reportMissing(found: SuiteSearch, code: ExitCode, { terminal, host }: CommandContext): ExitCode {
  const { nothing, names, closed, copies = [] } = found
  const path = (file: string) => printable(terminal.path(file))
  for (const { file, of } of copies)
    terminal.err(`Skipped ${path(file)}: ${path(of)} has the same tests. Name the file to run it too.\n`)
  for (const folder of closed) {
    const reason = mayBeNotUtf8(folder) ? 'its name is not UTF-8. Rename it' : 'permission denied'
    terminal.err(`Cannot read ${path(folder)}: ${reason}.\n`)
  }
  if (nothing.length > 0) terminal.err(nothingFound(nothing, names, host.cwd))
  if (code !== EXIT.ok) return code
  if (closed.length > 0) return EXIT.userError
  return nothing.length > 0 ? EXIT.nothing : EXIT.ok
}

function nothingFound(args: readonly string[], names: readonly string[], cwd: string): string {
  const complex = [...args, ...names].filter(pattern => globCost(pattern) === 'endless')
  if (complex.length > 0)
    return `No suite found: ${printable(complex.join(', '))} is too complex to match. Use fewer \`*\`, and no repeated groups.\n`
  const places = args.map(arg => resolve(cwd, arg)).join(', ')
  return `No suite found: looked for ${printable(names.join(', '))} in ${printable(places)}.\nName a file, or write a first suite with \`assay init\`.\n`
}
