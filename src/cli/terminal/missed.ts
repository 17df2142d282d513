import { resolve } from 'node:path'
import { mayBeNotUtf8 } from '../../lib/paths.ts'
import { globCost } from '../../lib/patterns.ts'
import { printable } from '../../lib/text/escape.ts'
import type { Host } from '../../model/host.ts'
import type { FoundFiles } from '../../parse/find-files.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { shownPath, terminal } from './terminal.ts'

type Missed = Pick<FoundFiles, 'nothing' | 'names' | 'closed' | 'copies'>

/** Says what was left out, and what could not be found or looked into; the latter never passes as in order. */
export function exitCodeWith({ nothing, names, closed, copies = [] }: Missed, host: Host, code: ExitCode): ExitCode {
  for (const { file, of } of copies)
    terminal.err(
      `Left out ${printable(shownPath(file))}: ${printable(shownPath(of))} has its tests. Name the file to run it too.\n`,
    )
  for (const folder of closed) {
    const reason = mayBeNotUtf8(folder) ? 'its name is not UTF-8. Rename it' : 'permission denied'
    terminal.err(`Cannot look into ${printable(shownPath(folder))}: ${reason}.\n`)
  }
  if (nothing.length > 0) terminal.err(nothingFound(nothing, names, host))
  if (code !== EXIT.ok) return code
  if (closed.length > 0) return EXIT.mistakes
  return nothing.length > 0 ? EXIT.nothing : EXIT.ok
}

function nothingFound(args: readonly string[], names: readonly string[], host: Host): string {
  const complex = [...args, ...names].filter(pattern => globCost(pattern) === 'endless')
  if (complex.length > 0)
    return `No suite found: ${printable(complex.join(', '))} is too complex to match. Use fewer \`*\`, and no repeated groups.\n`
  const places = args.map(arg => resolve(host.cwd, arg)).join(', ')
  return `No suite found: looked for ${printable(names.join(', '))} in ${printable(places)}.\nName a file, or write a first suite with \`assay init\`.\n`
}
