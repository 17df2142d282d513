import { dirname, join } from 'node:path'
import type { Host } from '../../model/host.ts'
import { isUnfinished } from '../../record/find-run.ts'
import { FollowedRun } from '../../record/follow-run.ts'
import { runHolder } from '../../record/live-files.ts'
import { type OpenRun, readRun } from '../../record/read-run.ts'
import { RunError } from '../../record/run-error.ts'
import { RunPage } from './run-page.ts'
import { RunRows } from './run-rows.ts'

/** How many finished runs stay open. */
const MOST_OPEN = 8

/** A run that is open for a request. */
export interface ViewedRun {
  readonly id: string
  readonly folder: string
  /** Whether a live process works on it. */
  readonly is_live: boolean
  readonly reader: OpenRun
  readonly page: RunPage
}

interface Entry extends ViewedRun {
  readonly rows: RunRows
  /** The facts of the files of a finished run. */
  readonly facts: string
  users: number
  isRetired: boolean
}

/** The runs of a folder, by id. Those that were asked for stay open, and are read again when their files change. */
export class RunStore {
  readonly runs_folder: string
  readonly #host: Host
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  /** The last opening of each run: one at a time. */
  readonly #openings = new Map<string, Promise<unknown>>()
  /** Rows of runs that were seen while they went on: their indexes stay. */
  readonly #liveRows = new Map<string, RunRows>()

  constructor(runsFolder: string, host: Host) {
    this.runs_folder = runsFolder
    this.#host = host
  }

  /** Works with a run as it is now. Returns undefined if there is no such run; throws `RunError` if it cannot be read. */
  async use<Value>(id: string, work: (run: ViewedRun) => Value | Promise<Value>): Promise<Value | undefined> {
    const folder = await this.folderOf(id)
    if (folder === undefined) return undefined
    const entry = await this.#opened(id, folder)
    try {
      return await work(entry)
    } finally {
      entry.users--
      closeUnused(entry)
    }
  }

  /** The folder of a run; undefined for any other name, for links, and for records that links lead to. */
  async folderOf(id: string): Promise<string | undefined> {
    // Only names that the folder has are used in paths.
    const entries = await this.#host.files.listEntries(this.runs_folder).catch(() => [])
    const isRun = entries.some(({ name, kind }) => name === id && kind === 'folder') && !isUnfinished(id)
    if (!isRun) return undefined
    const folder = join(this.runs_folder, id)
    return (await this.#hasOwnFiles(folder)) ? folder : undefined
  }

  async #hasOwnFiles(folder: string): Promise<boolean> {
    const { files } = this.#host
    const names = ['.', 'run.json', 'results.jsonl']
    const [own, ...reals] = await Promise.all(
      names.map(name => files.realPath(join(folder, name)).catch(() => undefined)),
    )
    return (
      own !== undefined && reals.some(real => real !== undefined) && reals.every(real => !real || dirname(real) === own)
    )
  }

  close(): void {
    for (const entry of this.#entries.values()) retire(entry)
    this.#entries.clear()
  }

  async #opened(id: string, folder: string): Promise<Entry> {
    const before = this.#openings.get(id) ?? Promise.resolve()
    const opening = before.then(() => this.#open(id, folder))
    const settled = opening.catch(() => {})
    this.#openings.set(id, settled)
    const entry = await opening.finally(() => {
      if (this.#openings.get(id) === settled) this.#openings.delete(id)
    })
    return entry
  }

  async #open(id: string, folder: string): Promise<Entry> {
    const is_live = (await runHolder(folder, this.#host)) !== undefined
    const known = this.#entries.get(id)
    const entry = (known && (await this.#current(known, is_live))) ?? (await this.#read(id, folder, is_live))
    entry.users++
    if (entry !== known && known) retire(known)
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    this.#retireOldest()
    return entry
  }

  /** An open run, if it is as its files are now. */
  async #current(entry: Entry, isLive: boolean): Promise<Entry | undefined> {
    if (entry.is_live !== isLive) return undefined
    const { reader } = entry
    if (!(reader instanceof FollowedRun)) return entry.facts === (await this.#factsOf(entry.folder)) ? entry : undefined
    try {
      if (await reader.update()) entry.page.renew()
      return entry
    } catch {
      // Its files were replaced.
      return undefined
    }
  }

  async #read(id: string, folder: string, is_live: boolean): Promise<Entry> {
    const host = this.#host
    const rows = this.#liveRows.get(id) ?? new RunRows()
    const facts = await this.#factsOf(folder)
    const followed = is_live ? await FollowedRun.open(folder, host).catch(() => undefined) : undefined
    const reader = followed ?? (await readRun({ folder, results: join(folder, 'results.jsonl') }, host))
    if (!reader.info && [...reader.facts()].length === 0) {
      reader.close()
      throw new RunError(`${id} has no result that can be read.`)
    }
    if (is_live) this.#liveRows.set(id, rows)
    const page = new RunPage(reader, rows)
    return { id, folder, is_live, reader, rows, page, facts, users: 0, isRetired: false }
  }

  async #factsOf(folder: string): Promise<string> {
    return recordFacts(folder, this.#host)
  }

  #retireOldest(): void {
    const finished = [...this.#entries.values()].filter(({ is_live }) => !is_live)
    for (const entry of finished.slice(0, Math.max(0, finished.length - MOST_OPEN))) {
      this.#entries.delete(entry.id)
      retire(entry)
    }
  }
}

/** What changes whenever the records of a run do. */
export async function recordFacts(folder: string, host: Host): Promise<string> {
  const names = ['run.json', 'results.jsonl']
  const facts = await Promise.all(names.map(name => host.files.facts(join(folder, name)).catch(() => undefined)))
  return JSON.stringify(facts)
}

function retire(entry: Entry): void {
  entry.isRetired = true
  closeUnused(entry)
}

function closeUnused(entry: Entry): void {
  if (entry.isRetired && entry.users === 0) entry.reader.close()
}
