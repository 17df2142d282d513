import { join } from 'node:path'
import { plural } from '../../lib/text/format.ts'
import type { Host } from '../../model/host.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { UserError } from '../../model/user-error.ts'
import { byStart, type RunEntry, readRunEntry } from '../../record/list-runs.ts'
import { readLiveStatus, runHolder } from '../../record/live-files.ts'
import { elapsedOf, RunStatistics, runFacts } from '../../report/html/overview-data.ts'
import type { ListedRunData, ListedRunFacts, RunsData } from '../../report/html/view-data.ts'
import type { BaselineVerdicts } from './baseline-verdict.ts'
import { type RunStore, recordFacts, type ViewedRun } from './run-store.ts'

/** How many runs are listed. */
const MOST_LISTED = 500

/** How many runs one request reads: the others follow with the next requests. */
const MOST_READ = 50

/** What the list says about the results of a run. */
type Figures = Pick<ListedRunData, 'targets' | 'tests' | 'elapsed_ms' | 'partial' | 'problem' | 'baseline'>

interface Known {
  readonly facts: string
  readonly entry: RunEntry
  /** With the state of the baseline that they were made with. */
  figures?: { readonly baseline: string; readonly figures: Figures }
}

/** The runs of the project. What is known of a run is kept until its files change. */
export class RunsList {
  readonly #store: RunStore
  readonly #baselines: BaselineVerdicts
  readonly #host: Host
  #known = new Map<string, Known>()

  constructor(store: RunStore, baselines: BaselineVerdicts, host: Host) {
    this.#store = store
    this.#baselines = baselines
    this.#host = host
  }

  /** All runs, newest first; only `run.json` is read. */
  async entries(): Promise<readonly RunEntry[]> {
    return (await this.#readEntries()).map(({ entry }) => entry)
  }

  async read(): Promise<RunsData> {
    const all = await this.#readEntries()
    const baseline = await this.#baselines.state()
    const runs: ListedRunData[] = []
    let unread = MOST_READ
    for (const known of all.slice(0, MOST_LISTED)) {
      const is_live = (await runHolder(known.entry.folder, this.#host)) !== undefined
      const isKnown = !is_live && known.figures?.baseline === baseline
      const figures = isKnown
        ? known.figures?.figures
        : unread-- > 0
          ? await this.#figuresOf(known, is_live)
          : undefined
      if (figures && !is_live) known.figures = { baseline, figures }
      runs.push(listedRun(known.entry, is_live, figures))
    }
    return { runs, more: all.length - runs.length }
  }

  async #readEntries(): Promise<Known[]> {
    const { runs_folder } = this.#store
    const found = await this.#host.files.listEntries(runs_folder).catch(() => [])
    const known = new Map<string, Known>()
    for (const { name, kind } of found) {
      if (kind !== 'folder') continue
      const folder = join(runs_folder, name)
      const facts = await recordFacts(folder, this.#host)
      const before = this.#known.get(name)
      known.set(name, before?.facts === facts ? before : { facts, entry: await readRunEntry(folder, kind, this.#host) })
    }
    this.#known = known
    return [...known.values()].filter(({ entry }) => entry.is_run).sort((a, b) => byStart(a.entry, b.entry))
  }

  async #figuresOf({ entry }: Known, isLive: boolean): Promise<Figures> {
    if (entry.problem !== undefined) return { ...NO_FIGURES, problem: entry.problem }
    try {
      return (
        (await this.#store.use(entry.id, run => this.#figures(run, isLive))) ?? { ...NO_FIGURES, problem: 'a link' }
      )
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return { ...NO_FIGURES, problem: error.message }
    }
  }

  async #figures(run: ViewedRun, isLive: boolean): Promise<Figures> {
    const { reader, page, folder } = run
    const { outcome } = page
    const status = isLive ? await readLiveStatus(folder, this.#host) : undefined
    const damaged = outcome.damaged > 0 ? `${plural(outcome.damaged, 'damaged line')} left out` : undefined
    const parts = [outcome.partial, damaged].filter(part => part !== undefined)
    return {
      targets: new RunStatistics(reader, outcome.tests).targets,
      tests: outcome.distinct_tests,
      elapsed_ms: isLive ? status?.elapsed_ms : elapsedOf(reader.facts()),
      partial: parts.length === 0 ? undefined : parts.join('; '),
      problem: undefined,
      baseline: isLive ? undefined : await this.#baselines.verdictOf(reader, outcome),
    }
  }
}

const NO_FIGURES: Figures = {
  targets: [],
  tests: 0,
  elapsed_ms: undefined,
  partial: undefined,
  problem: undefined,
  baseline: undefined,
}

function listedRun({ id, info, started }: RunEntry, is_live: boolean, figures: Figures | undefined): ListedRunData {
  const facts = info && listedFacts(info)
  return { id, facts, started, is_live, ...(figures ?? NO_FIGURES), ...(figures ? {} : { is_unread: true as const }) }
}

function listedFacts(info: RunInfo): ListedRunFacts {
  const { label, git_commit: commit, git_branch: branch, git_dirty, command, suites } = info
  return {
    ...runFacts(info),
    label,
    commit,
    branch,
    is_dirty: git_dirty === true,
    command: command?.join(' '),
    suites: suites.map(({ name }) => name),
  }
}
