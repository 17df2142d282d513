import { setMaxListeners } from 'node:events'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileStat, Host } from '../model/host.ts'
import { copyFileTo, copyFolder } from './copy-folder.ts'
import { patientFetch } from './fetch.ts'
import { filesBelow } from './files-below.ts'
import { readEntries } from './folder-entries.ts'
import { localTime } from './local-time.ts'
import { takeLock } from './lock.ts'
import { matches } from './match.ts'
import { openAppendFile, openReadFile } from './open-file.ts'
import { readBeginning } from './read-beginning.ts'
import { readLines } from './read-lines.ts'
import { keepFolder, makeTemporaryFolder, remove, removeTemporary } from './temporary-folders.ts'

/** The world as Node shows it. */
export function nodeHost(cwd: string = process.cwd()): Host {
  return {
    cwd,
    env: process.env,
    cores: availableParallelism(),
    node_version: process.version,
    platform: process.platform,
    readBytes: (path, most) => (most === undefined ? readFile(path) : readBeginning(path, most)),
    stat: statOf,
    realPath: path => realpath(path).catch(unlessAbsent(undefined)),
    filesBelow: async (folder, isWanted) => {
      const { files, closed } = await filesBelow(folder, isWanted)
      return { files: await withoutSecondLinks(files), closed }
    },
    glob: globFiles,
    writeNew: async (path, text) => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { flag: 'wx' })
    },
    names: async folder => (await readdir(folder).catch(unlessAbsent([]))).sort(),
    entries: readEntries,
    write: writeWhole,
    openAppend: async path => openAppendFile(path),
    openRead: openReadFile,
    readLines,
    makeFolder: async path => (await mkdir(path, { recursive: true })) !== undefined,
    makeTemporaryFolder,
    keepFolder,
    copyFile: copyFileTo,
    copyFolder,
    rename,
    remove,
    removeTemporary,
    lock: takeLock,
    run: async program => (await import('./run-program.ts')).runProgram(program),
    fetch: patientFetch,
    importModule: path => import(pathToFileURL(path).href),
    now: () => Date.now(),
    timestamp,
    localTime,
    elapsed: () => performance.now(),
    after: (ms, call) => {
      const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER_MS))
      return () => clearTimeout(timer)
    },
    breathe: () => new Promise(resolve => setImmediate(resolve)),
    sleep,
    abortController: () => {
      const controller = new AbortController()
      setMaxListeners(0, controller.signal)
      return controller
    },
    random: () => Math.random(),
    matches,
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}

const globFiles: Host['glob'] = async (patterns, options) => {
  const { glob } = await import('tinyglobby')
  const possible = patterns.filter(({ length }) => length <= LONGEST_PATTERN)
  // Without any pattern, all files would match.
  if (possible.length === 0) return []
  const files = await glob(possible, {
    cwd: options.cwd,
    absolute: true,
    ignore: ['**/node_modules/**'],
    expandDirectories: !options.exact,
  })
  return withoutSecondLinks(files.sort())
}

/** No path is longer; the matcher throws at what is ten times as long, where nobody can catch it. */
const LONGEST_PATTERN = 4096

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
  const stats = await stat(path).catch(unlessAbsent(undefined))
  if (!stats) return undefined
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
  return { kind, size: stats.size, executable: kind === 'file' && (await isExecutable(path)) }
}

/** This instead of an error that only says that nothing is there. */
function unlessAbsent<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }
}

let drafts = 0

/** Beside its place first, so that a reader sees the old file or the new one. */
async function writeWhole(path: string, text: string | AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.${drafts++}.tmp`
  try {
    const file = await open(draft, 'w')
    try {
      for await (const part of typeof text === 'string' ? [text] : text) await file.appendFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

let lastTime = { ms: 0, text: '' }

/** Within one millisecond, the same text. */
function timestamp(): string {
  const ms = Date.now()
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}

/** What Node's timers can hold; more would be no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', done)
  })
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
