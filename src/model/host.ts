import type { HostFiles } from './host-files.ts'
import type { HttpRequest, HttpResponse } from './http-exchange.ts'
import type { LoopbackServer, LoopbackService } from './loopback-server.ts'

/** A program to start. */
export interface Program {
  /** Program and arguments, or a shell line. */
  readonly command: readonly string[] | string
  readonly cwd: string
  /** Variables added to the environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  /** Maximum size of the output, or of a line with `onLine`; the program and its children are killed beyond that. */
  readonly maxOutputBytes: number
  /** Receives each line of stdout without its line break; the output is not kept then. */
  readonly onLine?: ((line: string) => void) | undefined
  readonly signal: AbortSignal
}

/** How a program ended. */
export interface ProgramEnd {
  /** Exit code; undefined if a signal ended the program. */
  readonly code: number | undefined
  /** The signal that ended the program. */
  readonly signal: string | undefined
  readonly stdout: string
  /** The end of stderr. */
  readonly stderr: string
  /** Whether the output exceeded the maximum size. */
  readonly tooLarge: boolean
}

/** A program to exchange lines with. */
export interface LineProgram extends Pick<Program, 'cwd' | 'env'> {
  /** Program and arguments. */
  readonly command: readonly string[]
  /** Maximum size of a line; the program and its children are killed beyond that. */
  readonly maxLineBytes: number
  /** Receives each line of stdout without its line break. */
  readonly onLine: (line: string) => void
  /** Receives stderr in parts, as they arrive. */
  readonly onStderr: (text: string) => void
}

/** A program that was started, and reads and writes lines. */
export interface RunningProgram {
  /** Writes a line to stdin; does nothing when the program has ended. */
  send(line: string): void
  /** Closes stdin. */
  endInput(): void
  /** Asks the program and its children to end, and kills them if they do not. */
  stop(): void
  /** Resolves when the program has ended and its last line was received. */
  readonly ended: Promise<Omit<ProgramEnd, 'stdout' | 'stderr'>>
}

/** A lock that was taken, or its holder. */
export type Lock = { readonly release: () => Promise<void> } | { readonly holder: string }

/** A stream to print to. */
export interface OutputStream {
  write(text: string): void
  readonly isTTY: boolean
  /** Width of the terminal; undefined for any other stream. */
  readonly columns: number | undefined
  /** Height of the terminal; undefined for any other stream. */
  readonly rows: number | undefined
}

/** Where commands print, and the keys that are typed. */
export interface HostTerminal {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Whether stdin is a terminal, on which keys can be typed. */
  readonly hasKeys: boolean
  /**
   * Calls back on each key typed on stdin: `a` (letters in lower case), `?`, `return`, `space`, `up`, `ctrl+d`. `text`
   * is the character as typed; empty for other keys.
   * Ctrl-C and Ctrl-\ reach the listeners of `signals` instead. Returns a function that gives stdin back.
   * Does nothing if stdin is not a terminal.
   */
  keys(onKey: (key: string, text: string) => void): () => void
  /** Calls back when the size of the terminal has changed. Returns a function that stops listening. */
  onResize(call: () => void): () => void
}

/** Signals that ask the program to end. */
export type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGTERM' | 'SIGHUP'

/** The signals of the process, and its end. */
export interface HostSignals {
  /** Calls back on each signal, which then does not end the process. Returns a function that stops listening. */
  listen(call: (signal: StopSignal) => void): () => void
  /** Ends the process and every program that it started. */
  exit(code: number): never
}

/** Every way the program touches the world, by kind. Paths are absolute. */
export interface Host {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cores: number
  readonly node_version: string
  readonly platform: string
  /** Names the machine and the process: `build-1-4711`. */
  readonly process_name: string
  readonly terminal: HostTerminal
  readonly signals: HostSignals
  readonly files: HostFiles
  readonly processes: HostProcesses
  readonly network: HostNetwork
  readonly clock: HostClock
  readonly locks: HostLocks
  readonly patterns: HostPatterns
  /** A random number in 0..1, below 1. */
  random(): number
  /** Random bytes that cannot be guessed. */
  randomBytes(count: number): Uint8Array
  /** Leaves less memory to objects that do not stay, since many will stay. */
  limitYoungGeneration(): void
}

interface HostProcesses {
  readStdin(): Promise<Uint8Array>
  /** Passes on each line of stdin until its end, or until the signal aborts. Throws when a line is too long. */
  readStdinLines(onLine: (line: string) => void, maxLineBytes: number, signal: AbortSignal): Promise<void>
  /** Runs a program to its end. Throws when it cannot be started. */
  run(program: Program): Promise<ProgramEnd>
  /** Starts a program to exchange lines with. Throws when it cannot be started. */
  start(program: LineProgram): Promise<RunningProgram>
  /** Returns the command of a program of this package: Node, and the path of the program. */
  ownProgram(name: 'mock-server'): readonly [string, string]
  /** Imports a module of the user into this process: once for each version that is named. */
  importModule(path: string, version?: string): Promise<unknown>
}

interface HostNetwork {
  /**
   * Sends an HTTP request, without a timeout except that of the signal, and follows no redirects. Throws a `TypeError`
   * when the request is invalid, and an error with a `code` when the connection fails.
   */
  request(url: string, request: HttpRequest): Promise<HttpResponse>
  /** Serves HTTP on 127.0.0.1, where only programs of this machine can connect. Throws when the port is in use. */
  serve(service: LoopbackService): Promise<LoopbackServer>
  /** Opens an address in the browser of the user, if there is one. Does not wait for it, and never throws. */
  openInBrowser(url: string): void
}

export interface HostClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The current time in ISO 8601. */
  timestamp(): string
  /** Converts an ISO 8601 time to the local time zone: `2025-12-25 11:56:26`. */
  localTime(timestamp: string): string
  /** Milliseconds on a monotonic clock. */
  elapsed(): number
  /** Calls back after a delay; returns a function that cancels it. */
  setTimer(ms: number, call: () => void): () => void
  /** Gives timers, signals and I/O a chance to run. */
  yieldToEvents(): Promise<void>
  /** Resolves after a delay, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Creates an abort controller without a limit on listeners. */
  createAbortController(): AbortController
}

interface HostLocks {
  /** Takes a lock file for this process; returns the holder when another process has it. */
  take(path: string): Promise<Lock>
  /** Describes the live process that has a lock file; undefined when the lock is free. */
  holder(path: string): Promise<string | undefined>
}

interface HostPatterns {
  /** Whether a regular expression matches; undefined when that takes more than a second. */
  test(pattern: string, flags: string, text: string): boolean | undefined
  /** Counts the matches that do not overlap; undefined when that takes more than a second. */
  count(pattern: string, flags: string, text: string): number | undefined
}
