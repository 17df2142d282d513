import { join } from 'node:path'
import { regexProblem } from '../../../lib/patterns.ts'
import { plural } from '../../../lib/text/format.ts'
import { truncate } from '../../../lib/text/quote.ts'
import type { FolderEntry } from '../../../model/host-files.ts'
import type { AskContext } from '../../../model/provider.ts'
import { isListed } from './list-folder.ts'
import { MAX_BYTES, readTextFile, splitLines } from './read-file.ts'
import { type FolderItem, resolveInside, ToolError } from './resolve-inside.ts'
import { quoteName, ToolOutput } from './tool-output.ts'

const MAX_SEARCH_MS = 10_000

/** How long a search runs before it yields to other work. */
const YIELD_MS = 20

const MAX_LINE_LENGTH = 300

export interface SearchQuery {
  readonly query: string
  /** Whether the query is a regular expression. */
  readonly regex?: boolean | undefined
  readonly path?: string | undefined
}

/** Returns the matching lines of a file, or of all files below a folder. */
export async function searchFiles(
  folder: string,
  { query, regex = false, path = '' }: SearchQuery,
  context: SearchContext,
): Promise<string> {
  const { host } = context
  const problem = regex ? regexProblem(query) : undefined
  if (problem !== undefined) throw new ToolError(problem)
  const found = await resolveInside(folder, path, host)
  context.signal.throwIfAborted()
  const search = new Search(text => (regex ? host.patterns.test(query, '', text) : text.includes(query)), context)
  if (found.stat.kind === 'folder') await search.searchFolder(found)
  if (found.stat.kind === 'file') await search.searchFile(found)
  return search.result
}

type SearchContext = Pick<AskContext, 'host' | 'signal'>

/** A file or folder to search. */
type SearchRoot = Pick<FolderItem, 'path' | 'name'>

/** One search: the lines found so far, and what was not searched. */
class Search {
  readonly #isFound: (line: string) => boolean | undefined
  readonly #context: SearchContext
  readonly #output = new ToolOutput()
  readonly #large: string[] = []
  readonly #start: number
  #lastYield: number
  #files = 0
  #stopped: string | undefined

  constructor(isFound: (line: string) => boolean | undefined, context: SearchContext) {
    this.#isFound = isFound
    this.#context = context
    this.#start = context.host.clock.elapsed()
    this.#lastYield = this.#start
  }

  /** Searches all files below a folder. Links are not followed: their targets inside are searched anyway. */
  async searchFolder(start: SearchRoot): Promise<void> {
    const open = [start]
    for (let folder = open.pop(); folder; folder = open.pop()) {
      const { path, name } = folder
      // An unreadable folder has no matches.
      const entries = await this.#context.host.files.listEntries(path).catch(() => [])
      const below = (kind: FolderEntry['kind']) =>
        entries
          .filter(entry => entry.kind === kind && isListed(entry))
          .map(entry => ({ path: join(path, entry.name), name: join(name, entry.name) }))
      for (const file of below('file')) await this.searchFile(file)
      for (const inner of below('folder').reverse()) open.push(inner)
      if (this.#isDue()) await this.#yield()
      if (this.isStopped) return
    }
  }

  async searchFile({ path, name }: SearchRoot): Promise<void> {
    if (this.#isDue()) await this.#yield()
    if (this.isStopped) return
    // A file that is unreadable, or gone by now, has no matches.
    const file = await readTextFile(path, this.#context.host).catch(() => undefined)
    if (!file) return
    this.#files++
    for (const [index, line] of splitLines(file.text).entries()) {
      if (this.#isDue()) await this.#yield()
      if (this.isStopped) return
      const isFound = this.#isFound(line)
      if (isFound === undefined) this.#stopped = 'stopped: the pattern takes too long; try a simpler one'
      else if (isFound) this.#add(`${quoteName(name)}:${index + 1}: ${truncate(line.trimEnd(), MAX_LINE_LENGTH)}`)
    }
    if (!file.isWhole) this.#large.push(quoteName(name))
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  #add(line: string): void {
    if (!this.#output.add(line)) {
      this.#stopped = 'cut: too many matches; use a narrower query, or search one folder'
    }
  }

  /** Whether it is time to yield. Stops the search after its time limit. */
  #isDue(): boolean {
    const now = this.#context.host.clock.elapsed()
    if (now - this.#start > MAX_SEARCH_MS) {
      this.#stopped ??= `stopped after ${MAX_SEARCH_MS / 1000} s; search one folder, or use a simpler query`
    }
    return now - this.#lastYield >= YIELD_MS
  }

  async #yield(): Promise<void> {
    const { host, signal } = this.#context
    await host.clock.yieldToEvents()
    this.#lastYield = host.clock.elapsed()
    signal.throwIfAborted()
  }

  get result(): string {
    const isNothing = this.#output.count === 0 && !this.isStopped
    const large = truncate(this.#large.join(', '), MAX_LINE_LENGTH)
    return this.#output.with([
      ...(isNothing ? [`no matches in ${plural(this.#files, 'file')}`] : []),
      ...(large === '' ? [] : [`only the first ${MAX_BYTES} bytes of large files were searched: ${large}`]),
      ...(this.#stopped === undefined ? [] : [this.#stopped]),
    ])
  }
}
