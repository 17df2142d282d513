import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Host } from '../model/host.ts'
import { createAbortController, localTime, setTimer, sleep, timestamp, yieldToEvents } from './clock.ts'
import { lockHolder, takeLock } from './locks.ts'
import { nodeRequests } from './network/node-requests.ts'
import { nodeFiles } from './node-files.ts'
import { openInBrowser } from './open-in-browser.ts'
import { countPattern, testPattern } from './patterns.ts'
import { ownProgram } from './processes/own-program.ts'
import { nodeSignals, nodeTerminal } from './terminal.ts'

/** What the host does in another way where the process is our own. */
export interface OwnProcess {
  /** Imports a module. */
  importUrl(url: string): Promise<unknown>
  limitYoungGeneration(): void
}

/** A process that uses the API: its heap is not ours. */
const OTHER_PROCESS: OwnProcess = { importUrl: url => import(url), limitYoungGeneration: () => {} }

/** The world as Node shows it. Programs are started with `env`. */
export function nodeHost(
  cwd?: string,
  env: NodeJS.ProcessEnv = process.env,
  { importUrl, limitYoungGeneration } = OTHER_PROCESS,
): Host {
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
    files: nodeFiles,
    processes: {
      readStdin: async () => (await import('./processes/read-stdin.ts')).readStdin(),
      readStdinLines: async (onLine, maxLineBytes, signal) =>
        (await import('./processes/read-stdin.ts')).readStdinLines(onLine, maxLineBytes, signal),
      start: async program => (await import('./processes/start-program.ts')).startProgram(program, env),
      run: async program => (await import('./processes/run-program.ts')).runProgram(program, env),
      ownProgram,
      importModule: (path, version) =>
        importUrl(`${pathToFileURL(path).href}${version === undefined ? '' : `?version=${version}`}`),
    },
    network: {
      request: nodeRequests(env),
      serve: async service => (await import('./loopback-server.ts')).serveOnLoopback(service),
      openInBrowser: url => openInBrowser(url, env),
    },
    clock: {
      now: () => Date.now(),
      timestamp,
      localTime,
      // Not `performance`, which Node loads when it is first used.
      elapsed: () => {
        const [seconds, nanoseconds] = process.hrtime()
        return seconds * 1000 + nanoseconds / 1e6
      },
      setTimer: setTimer,
      yieldToEvents: yieldToEvents,
      sleep,
      createAbortController: createAbortController,
    },
    locks: { take: takeLock, holder: lockHolder },
    patterns: { test: testPattern, count: countPattern },
    random: () => Math.random(),
    randomBytes: count => randomBytes(count),
    limitYoungGeneration,
  }
}
