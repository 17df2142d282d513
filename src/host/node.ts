import { mkdir, readdir, realpath, rename } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Host } from '../model/host.ts'
import { openAppendFile } from './append-file.ts'
import { localTime, timestamp } from './clock.ts'
import { copyFileTo, copyFolder } from './copy-folder.ts'
import { patientFetch } from './fetch.ts'
import { findBelow, findMatching } from './find-files.ts'
import { readEntries } from './folder-entries.ts'
import { removeLeftovers } from './leftovers.ts'
import { takeLock } from './lock.ts'
import { matches } from './match.ts'
import { readRegular } from './open-regular.ts'
import { readBeginning } from './read-beginning.ts'
import { openReadFile } from './read-file.ts'
import { readLines } from './read-lines.ts'
import { statOf } from './stat.ts'
import { hasTemporary, keepFolder, makeTemporaryFolder, remove, removeTemporary } from './temporary-folders.ts'
import { abortController, after, breathe, sleep } from './timers.ts'
import { unlessAbsent } from './unless-absent.ts'
import { writeNew, writeWhole } from './write-file.ts'

/** The world as Node shows it. */
export function nodeHost(cwd: string = process.cwd()): Host {
  return {
    cwd,
    env: process.env,
    cores: availableParallelism(),
    node_version: process.version,
    platform: process.platform,
    files: {
      read: (path, most) => (most === undefined ? readRegular(path) : readBeginning(path, most)),
      stat: statOf,
      realPath: path => realpath(path).catch(unlessAbsent(undefined)),
      findBelow,
      glob: findMatching,
      listNames: async folder => (await readdir(folder).catch(unlessAbsent([]))).sort(),
      listEntries: readEntries,
      writeNew,
      write: writeWhole,
      openAppend: async path => openAppendFile(path),
      openRead: openReadFile,
      readLines,
      makeFolder: async path => (await mkdir(path, { recursive: true })) !== undefined,
      makeTemporaryFolder,
      keepTemporaryFolder: keepFolder,
      copyFile: copyFileTo,
      copyFolder,
      rename,
      remove,
      removeLeftovers,
      hasTemporaryFolder: hasTemporary,
      removeTemporaryFolder: removeTemporary,
    },
    processes: {
      readStdin,
      run: async program => (await import('./run-program.ts')).runProgram(program),
      importModule: path => import(pathToFileURL(path).href),
    },
    network: { fetch: patientFetch },
    clock: {
      now: () => Date.now(),
      timestamp,
      localTime,
      elapsed: () => performance.now(),
      setTimer: after,
      yieldToEvents: breathe,
      sleep,
      createAbortController: abortController,
    },
    locks: { take: takeLock },
    patterns: { test: matches },
    random: () => Math.random(),
  }
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}
