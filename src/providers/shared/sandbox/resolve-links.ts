import { dirname, isAbsolute, join } from 'node:path'
import type { Host } from '../../../model/host.ts'

interface Link {
  readonly path: string
  /** As it is written in the link. */
  readonly target: string
}

/** A path without links, and the links on the way to it. */
export interface ResolvedPath {
  readonly real: string
  readonly links: readonly Link[]
}

/** As many links as Linux follows. */
const MOST_LINKS = 40

/** Resolves the links of an absolute path, also of one that does not exist. Links in a circle end it. */
export async function resolveLinks(path: string, host: Host): Promise<ResolvedPath> {
  const links: Link[] = []
  const names = namesIn(path)
  let real = '/'
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const here = name === '..' ? dirname(real) : join(real, name)
    const target = links.length < MOST_LINKS ? await host.files.readLink(here).catch(() => undefined) : undefined
    if (target === undefined) {
      real = here
      continue
    }
    links.push({ path: here, target })
    names.unshift(...namesIn(target))
    if (isAbsolute(target)) real = '/'
  }
  return { real, links }
}

function namesIn(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}
