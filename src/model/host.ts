export interface FileStat {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly executable: boolean
}

export interface FilesBelow {
  /** Absolute paths in a fixed order. Links that lead nowhere are among them: reading them says so. */
  readonly files: readonly string[]
  /** Folders that may not be looked into. */
  readonly closed: readonly string[]
}

export interface GlobOptions {
  readonly cwd: string
}

/** Every way the program touches the world. Paths are absolute. */
export interface Host {
  readonly cwd: string
  readBytes(path: string): Promise<Uint8Array>
  /** Undefined when there is nothing at the path; throws when it cannot be looked at. */
  stat(path: string): Promise<FileStat | undefined>
  /** Files below a folder, by their names; not in `node_modules`, nor in dot-folders. */
  filesBelow(folder: string, isWanted: (name: string) => boolean): Promise<FilesBelow>
  /** Files that match, as absolute paths in a fixed order; not in `node_modules`, nor in dot-folders that no pattern names. */
  glob(patterns: readonly string[], options: GlobOptions): Promise<readonly string[]>
  /** Writes a new file, with its folders; throws when one is there already. */
  writeNew(path: string, text: string): Promise<void>
  readStdin(): Promise<Uint8Array>
}
