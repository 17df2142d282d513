import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { foldersUpTo } from '../model/repository-root.ts'
import type { Files } from './files.ts'

/** Variables by name: the environment's, then those of `.env` files, nearest first. */
export type Variables = (name: string) => string | undefined

/** What `${{ NAME }}` can mean for a suite in a folder. */
export async function findVariables(folder: string, files: Files): Promise<Variables> {
  const { env } = files.host
  const root = await files.root(folder)
  const found: Record<string, string | undefined>[] = []
  for (const home of foldersUpTo(root, folder)) {
    const path = join(home, '.env')
    if ((await files.stat(path))?.kind !== 'file') continue
    const source = await files.read(path)
    if (source) found.push(parseEnv(source.text) as Record<string, string>)
  }
  // What every object has, as `constructor`, is no variable.
  return name => [env, ...found].find(each => Object.hasOwn(each, name) && each[name] !== undefined)?.[name]
}
