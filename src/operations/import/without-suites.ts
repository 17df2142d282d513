import { evaluators } from '../../evaluators/index.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { loadFiles } from '../../parse/load-files.ts'
import { displayPath } from '../display-path.ts'
import type { FoundSource } from './find-sources.ts'

/** Drops files that Assay reads as they are. Throws if there are no others. */
export async function withoutSuites(sources: readonly FoundSource[], host: Host): Promise<readonly FoundSource[]> {
  const others: FoundSource[] = []
  for (const source of sources) if (!(await isSuite(source, host))) others.push(source)
  const [first] = sources
  if (!first || others.length > 0) return others
  const name = displayPath(first.source.file, host)
  const more = sources.length > 1 ? ` So are ${sources.length - 1} more.` : ''
  throw new UserError(
    `${name} is a suite already: there is nothing to import.${more}`,
    `Run it with \`assay eval ${name}\`, or name its format with --from.`,
  )
}

async function isSuite({ source: { file, document } }: FoundSource, host: Host): Promise<boolean> {
  if (!document) return false
  const { diagnostics } = await loadFiles([file], { host, evaluators })
  return diagnostics.every(({ severity }) => severity !== 'error')
}
