export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly executable: boolean
}

/** An entry of a folder; links are not followed. */
export interface FolderEntry {
  readonly name: string
  readonly kind: FileStat['kind'] | 'link'
}

export interface FilesBelow {
  /** Sorted absolute paths, including broken links, which fail when they are read. */
  readonly files: readonly string[]
  /** Folders without read permission. */
  readonly closed: readonly string[]
}

/** The content of a file in a folder, or why it is not read. */
export type ContainedFile =
  | { readonly bytes: Uint8Array }
  /** A link leads out of the folder, or it is a folder, a pipe or a device. */
  | { readonly problem: 'missing' | 'outside' | 'not-a-file' | 'too-large' }

export interface GlobOptions {
  readonly cwd: string
  /** Only files that match a pattern themselves, not files below a matching folder. */
  readonly exact?: boolean
}

/** What changes whenever a file is written, replaced or gets other attributes. */
export interface FileFacts {
  readonly inode: number
  readonly size: number
  /** Time of the last change of content or attributes, which programs cannot set. */
  readonly changed_ms: number
}

/** The content of a file. */
export interface FileContent {
  readonly facts: FileFacts
  /** SHA-256. */
  readonly hash: string
  /** The whole content; undefined for a file that is larger than asked for. */
  readonly bytes: Uint8Array | undefined
}

/** The files and symbolic links below a folder at one time, by path with `/` between folders. `.git` is left out. */
export interface FolderTree {
  readonly files: ReadonlyMap<string, FileFacts>
  /** The paths that links lead to. */
  readonly links: ReadonlyMap<string, string>
  /** Folders that cannot be read. */
  readonly closed: readonly string[]
  /**
   * Hashes a file of the tree without following links, and keeps up to `most` bytes of it. Returns undefined if it is
   * not readable or no longer a regular file.
   */
  read(path: string, most: number, signal?: AbortSignal): Promise<FileContent | undefined>
  /**
   * Waits until a write changes the facts of each file: the clock of a file system advances in steps. Returns the files
   * for which that took too long.
   */
  settle(): Promise<readonly string[]>
}

/** Which part of a folder is copied. Default: everything but `.git`. */
export interface CopyOptions {
  /** Files to copy, relative to the folder; missing files are skipped. */
  readonly files?: readonly string[] | undefined
  /** Whether a folder is skipped. */
  isLeftOut?(path: string): boolean
  /** Called for each file whose copy equals the original for as long as the facts of the original stay the same. */
  onCopied?(file: CopiedFile): void
  readonly signal?: AbortSignal | undefined
}

/** A file that was copied. */
export interface CopiedFile {
  /** Path in the copy, with `/` between folders. */
  readonly path: string
  /** Absolute path of the original. */
  readonly from: string
  /** The original before it was copied. */
  readonly facts: FileFacts
}

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

/** An open file, read in parts. */
export interface ReadFile {
  /** Reads text at a byte offset. */
  readAt(offset: number, length: number): string
  close(): void
}

/** An open file, for appending lines. */
export interface AppendFile {
  /** Current size in bytes. */
  readonly size: number
  /** Writes text to the operating system before it returns. */
  append(text: string): void
  /** Flushes to disk and closes the file. */
  close(): Promise<void>
}

/** Receives what happens in watched folders. Neither is called after the watch is closed. */
export interface WatchListener {
  /** A path in a watched folder changed, appeared or disappeared, or the folder itself did. */
  onChange(path: string): void
  /** A folder cannot be watched; called once until it can be watched again. */
  onError(error: Error): void
}

/** Watched folders. */
export interface FolderWatch {
  /** Replaces the watched folders. */
  update(folders: readonly string[]): void
  close(): void
}

/** A lock that was taken, or its holder. */
export type Lock = { readonly release: () => Promise<void> } | { readonly holder: string }

/** A line of a file without its line break, and its position in bytes. */
export interface Line {
  readonly text: string
  readonly offset: number
  readonly length: number
}

/** A stream to print to. */
export interface OutputStream {
  write(text: string): void
  readonly isTTY: boolean
  /** Width of the terminal; undefined for any other stream. */
  readonly columns: number | undefined
}

/** Where commands print, and the keys that are typed. */
export interface HostTerminal {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Whether stdin is a terminal, on which keys can be typed. */
  readonly hasKeys: boolean
  /**
   * Calls back on each key typed on stdin: `a` (letters in lower case), `?`, `return`, `space`, `up`, `ctrl+d`.
   * Ctrl-C and Ctrl-\ reach the listeners of `signals` instead. Returns a function that gives stdin back.
   * Does nothing if stdin is not a terminal.
   */
  keys(onKey: (key: string) => void): () => void
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
}

export interface HostFiles {
  /** Reads a whole file, or up to `most` bytes of its beginning. */
  read(path: string, most?: number): Promise<Uint8Array>
  /** Reads a regular file of up to `most` bytes in a folder. Follows links that stay in the folder, never others. */
  readContained(folder: string, path: string, most: number): Promise<ContainedFile>
  /** Returns undefined when the path does not exist; throws when it cannot be read. */
  stat(path: string): Promise<FileStat | undefined>
  /** Resolves symbolic links; undefined when the path does not exist. */
  realPath(path: string): Promise<string | undefined>
  /** Returns the target of a symbolic link as it is written; undefined for anything else. */
  readLink(path: string): Promise<string | undefined>
  /** Finds files below a folder by name; skips `node_modules` and dot-folders. */
  findBelow(folder: string, isWanted: (name: string) => boolean): Promise<FilesBelow>
  /** Returns matching files as sorted absolute paths; skips `node_modules`, and dot-folders that no pattern names. */
  glob(patterns: readonly string[], options: GlobOptions): Promise<readonly string[]>
  /** Returns the sorted names in a folder; empty when the folder does not exist. */
  listNames(folder: string): Promise<readonly string[]>
  /** Returns the entries of a folder, sorted by name. */
  listEntries(folder: string): Promise<readonly FolderEntry[]>
  /** Lists the files and links below a folder, whatever their names; links are not followed. */
  readTree(folder: string, signal?: AbortSignal): Promise<FolderTree>
  /** Hashes a regular file without following links, and keeps up to `most` bytes of it; undefined if not readable. */
  readContent(path: string, most: number): Promise<FileContent | undefined>
  /** Creates a file and its parent folders; throws when the file exists. */
  writeNew(path: string, text: string): Promise<void>
  /** Writes a file atomically and creates its parent folders. */
  write(path: string, text: string | AsyncIterable<string>): Promise<void>
  /** Opens a file for appending and creates its parent folders. An incomplete last line is cut off. */
  openAppend(path: string): Promise<AppendFile>
  /** Opens a file for reading; a missing file reads as empty. */
  openRead(path: string): ReadFile
  /** Reads the lines of a file with their byte offsets; skips an incomplete last line. */
  readLines(path: string): AsyncIterable<Line>
  /** Creates a folder and its parents; returns false when it exists. */
  makeFolder(path: string): Promise<boolean>
  /** Creates a folder that is removed at the latest when the process exits. */
  makeTemporaryFolder(): Promise<string>
  /** Keeps a temporary folder when the process exits. */
  keepTemporaryFolder(path: string): void
  /** Copies a file, following links, and creates parent folders. */
  copyFile(from: string, to: string): Promise<void>
  /** Copies a folder into another. Links that lead out of the folder are followed. */
  copyFolder(from: string, to: string, options?: CopyOptions): Promise<void>
  /** Renames a file; replaces an existing one. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file or folder; does nothing when it does not exist. */
  remove(path: string): Promise<void>
  /** Removes unfinished files in a folder and temporary folders that killed processes left. Never throws. */
  removeLeftovers(folder: string): Promise<void>
  /** Watches the files and folders directly in folders, of which some may not exist yet. Never throws. */
  watch(folders: readonly string[], listener: WatchListener): FolderWatch
  /** Whether a temporary folder of this or an earlier process exists. */
  hasTemporaryFolder(path: string): Promise<boolean>
  /** Removes a temporary folder of this or an earlier process; returns whether it was one. */
  removeTemporaryFolder(path: string): Promise<boolean>
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
  /** Like the global `fetch`, with no timeout except that of the signal. */
  fetch(url: string, init: RequestInit): Promise<Response>
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
