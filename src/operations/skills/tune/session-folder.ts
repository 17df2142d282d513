import { join } from 'node:path'
import type * as z from 'zod'
import { parseJson } from '../../../lib/json/parse-json.ts'
import type { Host } from '../../../model/host.ts'
import {
  type Part,
  type TuningResult,
  type TuningRound,
  type TuningSession,
  tuningResultSchema,
  tuningRoundSchema,
  tuningSessionSchema,
} from '../../../model/tuning.ts'
import { UserError } from '../../../model/user-error.ts'
import type { ProjectFolders } from '../../../record/project-folders.ts'

/** The folder of all tuning sessions of a project. */
export function tuningFolder({ settings_folder }: ProjectFolders): string {
  return join(settings_folder, 'tune')
}

/**
 * The files of a tuning session. Each is written whole, and before what depends on it, so that a session that was killed
 * goes on where it was.
 */
export class SessionFolder {
  readonly path: string
  readonly #host: Host

  constructor(path: string, host: Host) {
    this.path = path
    this.#host = host
  }

  /** The trigger set that has all queries, named after the skill. */
  queriesFile({ skill }: Pick<TuningSession, 'skill'>): string {
    return join(this.path, `${skill}.trigger-evals.json`)
  }

  /** The folder of the runs with a part of the queries. */
  runsFolder(part: Part): string {
    return join(this.path, part)
  }

  /** A copy of the skill: 0 is the skill as it is. */
  copyFolder(candidate: number, { skill }: Pick<TuningSession, 'skill'>): string {
    return join(this.path, 'candidates', String(candidate), skill)
  }

  /** An empty folder, in which agents work. */
  get workspace(): string {
    return join(this.path, 'workspace')
  }

  session(): Promise<TuningSession | undefined> {
    return this.#read('session.json', tuningSessionSchema)
  }

  round(round: number): Promise<TuningRound | undefined> {
    return this.#read(`round-${round}.json`, tuningRoundSchema)
  }

  result(): Promise<TuningResult | undefined> {
    return this.#read('result.json', tuningResultSchema)
  }

  /** Writes the queries, then what the session is; git ignores the folder. */
  async begin(session: TuningSession, folders: ProjectFolders): Promise<void> {
    const { files } = this.#host
    await files.writeNew(join(tuningFolder(folders), '.gitignore'), '*\n').catch(() => {})
    await files.makeFolder(this.workspace)
    const queries = session.queries.map(({ query, should_trigger, id }) => ({ query, should_trigger, id }))
    await files.write(this.queriesFile(session), `${JSON.stringify(queries, null, 2)}\n`)
    await this.#write('session.json', session)
  }

  /** Removes everything but the lock. */
  async clear(): Promise<void> {
    for (const name of await this.#host.files.listNames(this.path))
      if (name !== 'lock') await this.#host.files.remove(join(this.path, name))
  }

  addRound(round: TuningRound): Promise<void> {
    return this.#write(`round-${round.round}.json`, round)
  }

  finish(result: TuningResult): Promise<void> {
    return this.#write('result.json', result)
  }

  /** Locks the session. Throws if another process has it. */
  async lock(): Promise<() => Promise<void>> {
    await this.#host.files.makeFolder(this.path)
    const lock = await this.#host.locks.take(join(this.path, 'lock'))
    if ('release' in lock) return lock.release
    throw new UserError(
      `The same tuning session is running already, in ${lock.holder}.`,
      `Wait for it. If that process has ended, remove ${join(this.path, 'lock')}.`,
    )
  }

  async #read<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema> | undefined> {
    const path = join(this.path, name)
    const bytes = await this.#host.files.read(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw new UserError(`Cannot read ${path}: ${error.message}`)
    })
    if (bytes === undefined) return undefined
    const read = schema.safeParse(parseJson(new TextDecoder().decode(bytes)))
    if (read.success) return read.data
    throw new UserError(`${path} is damaged.`, 'Begin the session again with --fresh.')
  }

  async #write(name: string, value: unknown): Promise<void> {
    const path = join(this.path, name)
    await this.#host.files.write(path, `${JSON.stringify(value, null, 2)}\n`).catch((error: Error) => {
      throw new UserError(`Cannot write ${path}: ${error.message}`)
    })
  }
}
