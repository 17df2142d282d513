import { mkdir, readdir, realpath, rename } from 'node:fs/promises'
import { availableParallelism, hostname } from 'node:os'
import { pathToFileURL } from 'node:url'
import { ifNotFound } from '../lib/system-error.ts'
import type { Host } from '../model/host.ts'
import { createAbortController, localTime, setTimer, sleep, timestamp, yieldToEvents } from './clock.ts'
import { openAppendFile } from './files/append-file.ts'
import { copyFileTo, copyFolder } from './files/copy-folder.ts'
import { findBelow, findMatching } from './files/find-files.ts'
import { readContained } from './files/read-contained.ts'
import { readContent } from './files/read-content.ts'
import { openReadFile, readBeginning, readEntries, readLines, readLinkAt, statOf } from './files/read-files.ts'
import { readTree } from './files/read-tree.ts'
import { readRegularFile } from './files/regular-file.ts'
import {
  hasTemporaryFolder,
  keepTemporaryFolder,
  makeTemporaryFolder,
  remove,
  removeLeftovers,
  removeTemporaryFolder,
} from './files/temporary-folders.ts'
import { watchFolders } from './files/watch-folders.ts'
import { writeAtomically, writeNew } from './files/write-files.ts'
import { lockHolder, takeLock } from './locks.ts'
import { fetchWithoutTimeout } from './network.ts'
import { countPattern, testPattern } from './patterns.ts'
import { ownProgram } from './processes/own-program.ts'
import { nodeSignals, nodeTerminal } from './terminal.ts'

/** The world as Node shows it. Programs are started with `env`. */
export function nodeHost(cwd?: string, env: NodeJS.ProcessEnv = process.env): Host {
  return {
    get cwd() {
      // Read when a command needs it: the current folder may be gone.
      return cwd ?? process.cwd()
    },
    env,
    cores: availableParallelism(),
    node_version: process.version,
    platform: process.platform,
    get process_name() {
      return `${hostname()}-${process.pid}`
    },
    terminal: nodeTerminal,
    signals: nodeSignals,
    files: {
      read: (path, most) => (most === undefined ? readRegularFile(path) : readBeginning(path, most)),
      readContained,
      stat: statOf,
      realPath: path => realpath(path).catch(ifNotFound(undefined)),
      readLink: readLinkAt,
      findBelow,
      glob: findMatching,
      listNames: async folder => (await readdir(folder).catch(ifNotFound([]))).sort(),
      listEntries: readEntries,
      readTree,
      readContent,
      writeNew,
      write: writeAtomically,
      openAppend: async path => openAppendFile(path),
      openRead: openReadFile,
      readLines,
      makeFolder: async path => (await mkdir(path, { recursive: true })) !== undefined,
      makeTemporaryFolder,
      keepTemporaryFolder: keepTemporaryFolder,
      copyFile: copyFileTo,
      copyFolder,
      rename,
      remove,
      removeLeftovers,
      hasTemporaryFolder: hasTemporaryFolder,
      removeTemporaryFolder: removeTemporaryFolder,
      watch: watchFolders,
    },
    processes: {
      readStdin: async () => (await import('./processes/read-stdin.ts')).readStdin(),
      readStdinLines: async (onLine, maxLineBytes, signal) =>
        (await import('./processes/read-stdin.ts')).readStdinLines(onLine, maxLineBytes, signal),
      start: async program => (await import('./processes/start-program.ts')).startProgram(program, env),
      run: async program => (await import('./processes/run-program.ts')).runProgram(program, env),
      ownProgram,
      importModule: (path, version) =>
        import(`${pathToFileURL(path).href}${version === undefined ? '' : `?version=${version}`}`),
    },
    network: { fetch: fetchWithoutTimeout },
    clock: {
      now: () => Date.now(),
      timestamp,
      localTime,
      elapsed: () => performance.now(),
      setTimer: setTimer,
      yieldToEvents: yieldToEvents,
      sleep,
      createAbortController: createAbortController,
    },
    locks: { take: takeLock, holder: lockHolder },
    patterns: { test: testPattern, count: countPattern },
    random: () => Math.random(),
  }
}
