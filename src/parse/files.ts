import { dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { mayBeNotUtf8 } from '../lib/paths.ts'
import { quoteCode } from '../lib/text/quote.ts'
import { decodeUtf8 } from '../lib/text/unicode.ts'
import type { Host } from '../model/host.ts'
import type { FileStat } from '../model/host-files.ts'
import type { Location, Origin } from '../model/location.ts'
import { findRepositoryRoot } from '../model/repository-root.ts'
import { type DiagnosticInput, Diagnostics } from './diagnostics.ts'
import { Source } from './yaml/source.ts'

/** Longer paths are not valid on any system. */
const LONGEST_PATH = 1000

/** Maximum file size in bytes. Larger texts do not fit into a string in every version of Node. */
const LARGEST = 500_000_000

/** Reads files, each only once, and reports unreadable ones at the location that names them. */
export class Files {
  readonly host: Host
  readonly #diagnostics: Diagnostics
  readonly #stats = new Map<string, Promise<FileStat | undefined>>()
  readonly #sources = new Map<string, Promise<Source | undefined>>()
  #count = 0
  readonly #roots = new Map<string, Promise<string>>()

  constructor(host: Host, diagnostics: Diagnostics) {
    this.host = host
    this.#diagnostics = diagnostics
  }

  /** Resolves a path: from the repository root with a leading `/`, otherwise from the folder of the file that contains it. */
  async resolve(written: string, file: string): Promise<string> {
    const folder = dirname(file)
    return written.startsWith('/') ? join(await this.root(folder), written) : resolve(folder, written)
  }

  /** Reads a file. Reports a failure at the location that names it, and returns undefined. */
  read(path: string, named?: { at: Origin; written: string }): Promise<Source | undefined> {
    let source = this.#sources.get(path)
    if (!source) {
      this.#diagnostics.registerFile(path)
      source = this.#read(path)
      this.#sources.set(path, source)
    }
    return source.catch(error => {
      if (!(error instanceof Unreadable)) throw error
      this.#report(error, path, named)
      return undefined
    })
  }

  /** Number of files read. */
  get count(): number {
    return this.#count
  }

  /** Provides a text that is not read from disk, under a path. */
  provide(path: string, bytes: Uint8Array): void {
    this.#sources.set(
      path,
      Promise.resolve().then(() => this.#decode(path, bytes)),
    )
  }

  /** Returns whether a file exists; reports a missing one at the location that names it. */
  async requireFile(path: string, named: { at: Origin; written: string }): Promise<boolean> {
    try {
      requireFile(await this.#statOf(path))
      return true
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#report(error, path, named)
      return false
    }
  }

  async stat(path: string): Promise<FileStat | undefined> {
    try {
      return await this.#statOf(path)
    } catch {
      return undefined
    }
  }

  /** Finds the root of the repository that contains a folder. */
  root(folder: string): Promise<string> {
    let root = this.#roots.get(folder)
    if (!root) {
      // Suites of one repository share the folders above them.
      root = findRepositoryRoot(folder, { cwd: this.host.cwd, files: { stat: path => this.#statOf(path) } })
      this.#roots.set(folder, root)
    }
    return root
  }

  async #read(path: string): Promise<Source> {
    const stat = requireFile(await this.#statOf(path))
    if (stat.size > LARGEST) throw new Unreadable('file-unreadable', 'is too large to read')
    const bytes = await this.host.files.read(path).catch(error => {
      throw new Unreadable('file-unreadable', reason(error))
    })
    return this.#decode(path, bytes)
  }

  /** Decodes a file. Throws at the first byte that is not UTF-8. */
  #decode(file: string, bytes: Uint8Array): Source {
    this.#count++
    const decoded = decodeUtf8(bytes)
    const source = new Source(file, decoded.text)
    this.#diagnostics.registerSource(source)
    if ('invalidAt' in decoded) throw new NotUtf8(source.location(decoded.invalidAt, 1), utf16Hint(bytes))
    return source
  }

  #statOf(path: string): Promise<FileStat | undefined> {
    let stat = this.#stats.get(path)
    if (!stat) {
      stat = this.host.files.stat(path).catch(error => {
        throw new Unreadable('file-unreadable', reason(error))
      })
      this.#stats.set(path, stat)
    }
    return stat
  }

  #report(error: Unreadable, path: string, named: { at: Origin; written: string } | undefined): void {
    if (error instanceof NotUtf8) {
      this.#diagnostics.add({
        code: 'not-utf8',
        at: error.location,
        message: 'this byte is not valid UTF-8',
        hint: error.hint,
      })
      return
    }
    const at = named?.at ?? { file: path, line: 1, column: 1, length: 1 }
    const message = `${named ? quoteCode(named.written) : `\`${path}\``} ${error.message}`
    const notUtf8 = error.code === 'file-missing' && mayBeNotUtf8(path)
    const slashes = named?.written.includes('\\') ? '; write paths with `/`' : ''
    const looked = named && `looked at ${path.slice(0, LONGEST_PATH)}${slashes}`
    const hint = notUtf8 ? 'its name, or the name of a folder above it, is not UTF-8: rename it' : looked
    this.#diagnostics.add({ code: error.code, at, message, hint })
  }
}

class Unreadable extends Error {
  readonly code: 'file-missing' | 'file-unreadable' | 'not-utf8'

  constructor(code: Unreadable['code'], message: string) {
    super(message)
    this.code = code
  }
}

class NotUtf8 extends Unreadable {
  readonly location: Location
  readonly hint: string

  constructor(location: Location, hint: string) {
    super('not-utf8', 'is not UTF-8')
    this.location = location
    this.hint = hint
  }
}

function requireFile(stat: FileStat | undefined): FileStat {
  if (!stat) throw new Unreadable('file-missing', 'does not exist')
  if (stat.kind === 'folder') throw new Unreadable('file-unreadable', 'is a folder')
  if (stat.kind === 'other') throw new Unreadable('file-unreadable', 'is not a regular file')
  return stat
}

function reason(error: { code?: string }): string {
  const reasons: Record<string, string> = {
    EACCES: 'cannot be read: permission denied',
    EPERM: 'cannot be read: permission denied',
    ELOOP: 'is a circular link',
    ENAMETOOLONG: 'is too long for a path',
  }
  return reasons[error.code ?? ''] ?? `cannot be read (${error.code ?? error})`
}

function utf16Hint(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  return mark === 0xfffe || mark === 0xfeff ? 'it looks like UTF-16: save it as UTF-8' : 'save the file as UTF-8'
}

/** Completes diagnostics of later stages with locations and code frames. */
export async function locateDiagnostics(
  found: readonly (DiagnosticInput & { readonly at: Origin })[],
  host: Host,
): Promise<readonly Diagnostic[]> {
  const diagnostics = new Diagnostics()
  const files = new Files(host, diagnostics)
  for (const diagnostic of found) {
    await files.read(diagnostic.at.file)
    diagnostics.add(diagnostic)
  }
  return diagnostics.sorted()
}
