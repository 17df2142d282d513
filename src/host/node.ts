import { constants } from 'node:fs'
import { access, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileStat, Host } from '../model/host.ts'
import { filesBelow } from './files-below.ts'

/** The world as Node shows it. */
export function nodeHost(cwd: string = process.cwd()): Host {
  return {
    cwd,
    readBytes: path => readFile(path),
    stat: statOf,
    filesBelow: async (folder, isWanted) => {
      const { files, closed } = await filesBelow(folder, isWanted)
      return { files: await withoutSecondLinks(files), closed }
    },
    glob: async (patterns, options) => {
      const { glob } = await import('tinyglobby')
      const files = await glob(patterns as string[], {
        cwd: options.cwd,
        absolute: true,
        ignore: ['**/node_modules/**'],
      })
      return withoutSecondLinks(files.sort())
    },
    writeNew: async (path, text) => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { flag: 'wx' })
    },
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}

/** A file that several links lead to counts once, under its own path where that is among them. */
async function withoutSecondLinks(paths: readonly string[]): Promise<string[]> {
  const shown = new Map<string, string>()
  for (const path of paths) {
    // A file that is gone again, or may not be looked at, stays under the path that led to it: reading it says so.
    const real = await realpath(path).catch(() => path)
    if (path === real || !shown.has(real)) shown.set(real, path)
  }
  const kept = new Set(shown.values())
  return paths.filter(path => kept.has(path))
}

async function statOf(path: string): Promise<FileStat | undefined> {
  try {
    const stats = await stat(path)
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
    return { kind, size: stats.size, executable: kind === 'file' && (await isExecutable(path)) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
