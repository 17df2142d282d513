import { dirname, join } from 'node:path'
import type { Host } from '../model/host.ts'
import type { FoundRun } from './find-run.ts'
import { cannotRead } from './no-run.ts'
import type { RunPlace } from './run-place.ts'

/** Whether a run is directly in the project's own `.assay/runs`, with all links resolved. */
export async function isOwnRun({ folder }: FoundRun, place: RunPlace, host: Host): Promise<boolean> {
  const paths = [ownRuns(place), join(folder, 'run.json')]
  const [own, info] = await Promise.all(paths.map(path => host.files.realPath(path).catch(cannotRead(path))))
  return own !== undefined && info !== undefined && dirname(dirname(info)) === own
}

/** The folder whose runs are trusted to name suites and targets. */
export function ownRuns({ settings_folder }: RunPlace): string {
  return join(settings_folder, 'runs')
}
