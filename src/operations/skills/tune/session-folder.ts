import { join } from 'node:path'
import {
  type Part,
  type TuningResult,
  type TuningRound,
  type TuningSession,
  tuningResultSchema,
  tuningRoundSchema,
  tuningSessionSchema,
} from '../../../model/tuning.ts'
import type { ProjectFolders } from '../../../record/project-folders.ts'
import { SessionFiles } from '../../proposals/session-files.ts'

/** The folder of all tuning sessions of a project. */
export function tuningFolder({ settings_folder }: ProjectFolders): string {
  return join(settings_folder, 'tune')
}

/** The files of a tuning session. */
export class SessionFolder extends SessionFiles {
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
    return this.read('session.json', tuningSessionSchema())
  }

  round(round: number): Promise<TuningRound | undefined> {
    return this.read(`round-${round}.json`, tuningRoundSchema())
  }

  result(): Promise<TuningResult | undefined> {
    return this.read('result.json', tuningResultSchema())
  }

  /** Writes the queries, then what the session is; git ignores the folder. */
  async begin(session: TuningSession, folders: ProjectFolders): Promise<void> {
    const { files } = this.host
    await files.writeNew(join(tuningFolder(folders), '.gitignore'), '*\n').catch(() => {})
    await files.makeFolder(this.workspace)
    const queries = session.queries.map(({ query, should_trigger, id }) => ({ query, should_trigger, id }))
    await files.write(this.queriesFile(session), `${JSON.stringify(queries, null, 2)}\n`)
    await this.write('session.json', session)
  }

  addRound(round: TuningRound): Promise<void> {
    return this.write(`round-${round.round}.json`, round)
  }

  finish(result: TuningResult): Promise<void> {
    return this.write('result.json', result)
  }
}
