import { join } from 'node:path'
import {
  type AlignmentPart,
  type AlignmentResult,
  type AlignmentRound,
  type AlignmentSession,
  alignmentResultSchema,
  alignmentRoundSchema,
  alignmentSessionSchema,
} from '../../model/alignment.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { SessionFiles } from '../proposals/session-files.ts'

/** The folder of all sessions of a project. */
export function alignmentsFolder({ settings_folder }: Pick<ProjectFolders, 'settings_folder'>): string {
  return join(settings_folder, 'align')
}

/** The files of a session of `assay calibrate --align`. */
export class AlignmentFolder extends SessionFiles {
  /** The folder of the run in which a candidate judges a part of the answers: 0 is the present wording. */
  runsFolder(part: AlignmentPart, candidate: number): string {
    return join(this.path, `${part}-${candidate}`)
  }

  /** The folders of all runs so far. */
  async allRuns(): Promise<string[]> {
    const names = await this.host.files.listNames(this.path)
    return names.filter(name => /^(training|held-out)-\d+$/.test(name)).map(name => join(this.path, name))
  }

  session(): Promise<AlignmentSession | undefined> {
    return this.read('session.json', alignmentSessionSchema())
  }

  round(round: number): Promise<AlignmentRound | undefined> {
    return this.read(`round-${round}.json`, alignmentRoundSchema())
  }

  result(): Promise<AlignmentResult | undefined> {
    return this.read('result.json', alignmentResultSchema())
  }

  /** Writes what the session is; git ignores the folder. */
  async begin(session: AlignmentSession, folders: ProjectFolders): Promise<void> {
    await this.host.files.writeNew(join(alignmentsFolder(folders), '.gitignore'), '*\n').catch(() => {})
    await this.write('session.json', session)
  }

  addRound(round: AlignmentRound): Promise<void> {
    return this.write(`round-${round.round}.json`, round)
  }

  finish(result: AlignmentResult): Promise<void> {
    return this.write('result.json', result)
  }
}
