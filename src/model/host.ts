export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly executable: boolean
}

/** What stands in a folder under a name; links are not followed. */
export interface FolderEntry {
  readonly name: string
  readonly kind: FileStat['kind'] | 'link'
}

export interface FilesBelow {
  /** Absolute paths in a fixed order. Links that lead nowhere are among them: reading them says so. */
  readonly files: readonly string[]
  /** Folders that may not be looked into. */
  readonly closed: readonly string[]
}

export interface GlobOptions {
  readonly cwd: string
  /** Only files that match themselves, none because a folder above them does. */
  readonly exact?: boolean
}

/** What of a folder is copied: everything but `.git` where nothing else is said. */
export interface CopyOptions {
  /** These files of it, from the folder on; ones that are gone meanwhile are passed over. */
  readonly files?: readonly string[] | undefined
  /** Which folders in it are not copied. */
  isLeftOut?(path: string): boolean
  readonly signal?: AbortSignal | undefined
}

/** A program to start. */
export interface Program {
  /** Program and arguments; or a line for the shell. */
  readonly command: readonly string[] | string
  readonly cwd: string
  /** Variables added to the environment; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  /** The program and everything it started are ended when its output is larger; a line of it, where lines are handed on. */
  readonly maxOutputBytes: number
  /** Gets each line of stdout as it comes, without its end; the output is not kept then. */
  readonly onLine?: ((line: string) => void) | undefined
  readonly signal: AbortSignal
}

/** How a program ended, with everything that it started. */
export interface ProgramEnd {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined
  /** The signal that ended it. */
  readonly signal: string | undefined
  readonly stdout: string
  /** The last of it. */
  readonly stderr: string
  /** Whether it wrote more than it may. */
  readonly tooLarge: boolean
}

/** A file that is read in parts. */
export interface ReadFile {
  /** The text that stands at an offset. */
  readAt(offset: number, length: number): string
  close(): void
}

/** A file that lines are added to. */
export interface AppendFile {
  /** Where the next text will begin, in bytes. */
  readonly size: number
  /** Hands the text to the operating system before it returns. */
  append(text: string): void
  /** Waits until the disk has everything. */
  close(): Promise<void>
}

/** A lock that was taken, or who has it. */
export type Lock = { readonly release: () => Promise<void> } | { readonly holder: string }

/** A line of a file, without its end, and where it stands. */
export interface Line {
  readonly text: string
  readonly offset: number
  readonly length: number
}

/** Every way the program touches the world. Paths are absolute. */
export interface Host {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cores: number
  readonly node_version: string
  readonly platform: string
  /** All of a file, or as much of its beginning as is wanted. */
  readBytes(path: string, most?: number): Promise<Uint8Array>
  /** Undefined when there is nothing at the path; throws when it cannot be looked at. */
  stat(path: string): Promise<FileStat | undefined>
  /** The path without links in it; undefined when there is nothing at the path. */
  realPath(path: string): Promise<string | undefined>
  /** Files below a folder, by their names; not in `node_modules`, nor in dot-folders. */
  filesBelow(folder: string, isWanted: (name: string) => boolean): Promise<FilesBelow>
  /** Files that match, as absolute paths in a fixed order; not in `node_modules`, nor in dot-folders that no pattern names. */
  glob(patterns: readonly string[], options: GlobOptions): Promise<readonly string[]>
  /** The names in a folder, in a fixed order; none where there is no folder. */
  names(folder: string): Promise<readonly string[]>
  /** What is in a folder, in a fixed order. */
  entries(folder: string): Promise<readonly FolderEntry[]>
  /** Writes a new file, with its folders; throws when one is there already. */
  writeNew(path: string, text: string): Promise<void>
  /** Writes a file, with its folders, as a whole or not at all. */
  write(path: string, text: string | AsyncIterable<string>): Promise<void>
  /** Opens a file for adding lines, with its folders. A last line without an end is cut off. */
  openAppend(path: string): Promise<AppendFile>
  /** Opens a file for reading; one that is not there is empty. */
  openRead(path: string): ReadFile
  /** The lines of a file as they stand there, with their offsets in bytes; a last one without an end is left out. */
  readLines(path: string): AsyncIterable<Line>
  /** Makes a folder, with those above it; false when it is there already. */
  makeFolder(path: string): Promise<boolean>
  /** A new folder, which is removed when we end at the latest. */
  makeTemporaryFolder(): Promise<string>
  /** Lets a temporary folder stay when we end. */
  keepFolder(path: string): void
  /** Copies a file, or what a link leads to, with the folders that it needs. */
  copyFile(from: string, to: string): Promise<void>
  /** Copies a folder into another. Links that lead out of it are followed. */
  copyFolder(from: string, to: string, options?: CopyOptions): Promise<void>
  /** Gives a file another name; what has that name already is written over. */
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Removes what killed processes of ours left: unfinished files in a folder, and temporary folders. Never throws. */
  removeLeftovers(folder: string): Promise<void>
  /** Whether a temporary folder of ours, also of an earlier run, is there. */
  hasTemporary(path: string): Promise<boolean>
  /** Removes a temporary folder of ours, also of an earlier run, and says whether it was one. */
  removeTemporary(path: string): Promise<boolean>
  /** A file that says that this process works here, or who else does. */
  lock(path: string): Promise<Lock>
  readStdin(): Promise<Uint8Array>
  /** Runs a program to its end. Throws when it cannot be started. */
  run(program: Program): Promise<ProgramEnd>
  fetch(url: string, init: RequestInit): Promise<Response>
  /** What a module of the user's exports. */
  importModule(path: string): Promise<unknown>
  /** Milliseconds since 1970. */
  now(): number
  /** The time in ISO 8601. */
  timestamp(): string
  /** A time in ISO 8601 on the clock of this place: `2025-12-25 11:56:26`. */
  localTime(timestamp: string): string
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number
  /** Calls back later; what it gives calls that off. */
  after(ms: number, call: () => void): () => void
  /** Lets timers, signals and the outside have their turn. */
  breathe(): Promise<void>
  /** Ends early, without an error, when the signal says so. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** One whose signal may have any number of listeners. */
  abortController(): AbortController
  /** In 0..1, without 1. */
  random(): number
  /** Whether a pattern is found; undefined when that takes more than a second. */
  matches(pattern: string, flags: string, text: string): boolean | undefined
}
