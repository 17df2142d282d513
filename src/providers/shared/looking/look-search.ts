import { join } from 'node:path'
import { cutText } from '../../../lib/cut-text.ts'
import { plural } from '../../../lib/plural.ts'
import { regexProblem } from '../../../lib/regex-problem.ts'
import type { FolderEntry } from '../../../model/host.ts'
import type { AskContext } from '../../../model/provider.ts'
import { fileText, linesOf, MOST_BYTES } from './look-file-text.ts'
import { CannotLook, type Found, findInside } from './look-inside.ts'
import { isListed } from './look-list.ts'
import { LookOutput, quoted } from './look-output.ts'

/** How long one search may take. */
const MOST_MS = 10_000

/** How long it may go on before others have their turn. */
const BREATH_MS = 20

/** How much of a line is shown. */
const LONGEST_LINE = 300

export interface Query {
  readonly query: string
  /** Whether the query is a regular expression. */
  readonly regex?: boolean | undefined
  readonly path?: string | undefined
}

/** The lines below a folder of the folder, or in a file, in which something is found. */
export async function searchFiles(
  folder: string,
  { query, regex = false, path = '' }: Query,
  context: LookContext,
): Promise<string> {
  const { host } = context
  const problem = regex ? regexProblem(query) : undefined
  if (problem !== undefined) throw new CannotLook(problem)
  const found = await findInside(folder, path, host)
  context.signal.throwIfAborted()
  const search = new Search(text => (regex ? host.patterns.test(query, '', text) : text.includes(query)), context)
  if (found.stat.kind === 'folder') await search.lookBelow(found)
  if (found.stat.kind === 'file') await search.lookInto(found)
  return search.result
}

type LookContext = Pick<AskContext, 'host' | 'signal'>

/** Something to be searched, with its name from the folder on. */
type Place = Pick<Found, 'path' | 'name'>

/** One search: what was found, and what was not looked at. */
class Search {
  readonly #isFound: (line: string) => boolean | undefined
  readonly #context: LookContext
  readonly #output = new LookOutput()
  readonly #large: string[] = []
  readonly #start: number
  #breath: number
  #files = 0
  #stopped: string | undefined

  constructor(isFound: (line: string) => boolean | undefined, context: LookContext) {
    this.#isFound = isFound
    this.#context = context
    this.#start = context.host.clock.elapsed()
    this.#breath = this.#start
  }

  /** Links are not followed: what they lead to inside is found in its own place. */
  async lookBelow(start: Place): Promise<void> {
    const open = [start]
    for (let folder = open.pop(); folder; folder = open.pop()) {
      const { path, name } = folder
      // A folder that may not be looked into has nothing to be found.
      const entries = await this.#context.host.files.listEntries(path).catch(() => [])
      const below = (kind: FolderEntry['kind']) =>
        entries
          .filter(entry => entry.kind === kind && isListed(entry))
          .map(entry => ({ path: join(path, entry.name), name: join(name, entry.name) }))
      for (const file of below('file')) await this.lookInto(file)
      for (const inner of below('folder').reverse()) open.push(inner)
      if (this.#isDue()) await this.#breathe()
      if (this.isStopped) return
    }
  }

  async lookInto({ path, name }: Place): Promise<void> {
    if (this.#isDue()) await this.#breathe()
    if (this.isStopped) return
    // What is gone again, or may not be read, has nothing to be found.
    const file = await fileText(path, this.#context.host).catch(() => undefined)
    if (!file) return
    this.#files++
    for (const [index, line] of linesOf(file.text).entries()) {
      if (this.#isDue()) await this.#breathe()
      if (this.isStopped) return
      const isFound = this.#isFound(line)
      if (isFound === undefined) this.#stopped = 'stopped: the pattern takes too long; try a simpler one'
      else if (isFound) this.#add(`${quoted(name)}:${index + 1}: ${cutText(line.trimEnd(), LONGEST_LINE)}`)
    }
    if (!file.isWhole) this.#large.push(quoted(name))
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  #add(line: string): void {
    if (!this.#output.add(line)) {
      this.#stopped = 'cut: more was found than is shown; search for less, or in one folder'
    }
  }

  /** Whether others should have their turn; stops the search when its time is up. */
  #isDue(): boolean {
    const now = this.#context.host.clock.elapsed()
    if (now - this.#start > MOST_MS) {
      this.#stopped ??= `stopped after ${MOST_MS / 1000} s; search in one folder, or for something simpler`
    }
    return now - this.#breath >= BREATH_MS
  }

  async #breathe(): Promise<void> {
    const { host, signal } = this.#context
    await host.clock.yieldToEvents()
    this.#breath = host.clock.elapsed()
    signal.throwIfAborted()
  }

  get result(): string {
    const isNothing = this.#output.count === 0 && !this.isStopped
    const large = cutText(this.#large.join(', '), LONGEST_LINE)
    return this.#output.with([
      ...(isNothing ? [`nothing found in ${plural(this.#files, 'file')}`] : []),
      ...(large === '' ? [] : [`only the first ${MOST_BYTES} bytes of large files were searched: ${large}`]),
      ...(this.#stopped === undefined ? [] : [this.#stopped]),
    ])
  }
}
