import { isAbsolute, relative, resolve, sep } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { LoadContext } from '../suite/load-context.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** Resolves the path of a file of a case. Returns undefined after reporting one that is missing or outside of it. */
export async function findCaseFile(
  written: string,
  folder: string,
  at: SourceNode,
  { files, diagnostics }: LoadContext,
): Promise<string | undefined> {
  const path = resolve(folder, written)
  if (isAbsolute(written) || !isBelow(path, folder)) return reportOutside()
  if (!(await files.requireFile(path, { at, written }))) return undefined
  const [real, home] = await Promise.all([path, folder].map(each => files.host.files.realPath(each).catch(() => each)))
  return real !== undefined && home !== undefined && !isBelow(real, home) ? reportOutside() : path

  function reportOutside(): undefined {
    const message = `${quoteCode(written)} is outside of the folder of the case`
    diagnostics.add({ code: 'bad-case', at, message, hint: 'move the file into the folder of the case' })
  }
}

/** The folders that a case names, relative to the folder that paths of its test start from. */
export function rebaseFolders(
  written: readonly string[],
  { folder, base }: { readonly folder: string; readonly base: string },
): readonly string[] {
  return written.map(path => relative(base, resolve(folder, path)).replaceAll(sep, '/') || '.')
}
