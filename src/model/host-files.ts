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

/** A line of a file without its line break, and its position in bytes. */
export interface Line {
  readonly text: string
  readonly offset: number
  readonly length: number
}

export interface HostFiles {
  /** Reads a whole file, or up to `most` bytes of its beginning. */
  read(path: string, most?: number): Promise<Uint8Array>
  /** Reads a regular file of up to `most` bytes in a folder. Follows links that stay in the folder, never others. */
  readContained(folder: string, path: string, most: number): Promise<ContainedFile>
  /** Returns undefined when the path does not exist; throws when it cannot be read. */
  stat(path: string): Promise<FileStat | undefined>
  /** Returns undefined when the path does not exist or is not a regular file; throws when it cannot be read. */
  facts(path: string): Promise<FileFacts | undefined>
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
  /** Reads the lines of a file with their byte offsets, the first one at `from`; skips an incomplete last line. */
  readLines(path: string, from?: number): AsyncIterable<Line>
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
