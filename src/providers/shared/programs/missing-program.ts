import { resolve } from 'node:path'
import { shown } from '../../../lib/shown.ts'
import type { Host } from '../../../model/host.ts'
import { onPath } from '../../../model/on-path.ts'

interface Started {
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** What a target lacks to start its program, in words. A line for the shell names none that could be looked for. */
export async function missingProgram(
  program: string | undefined,
  { cwd, workspace, env }: Started,
  home: string,
  host: Host,
): Promise<string | undefined> {
  const copied = workspace === undefined ? undefined : resolve(home, workspace)
  // Which suite will run is not known here: its folder may be the current one.
  const folder = cwd === undefined ? (copied ?? host.cwd) : resolve(copied ?? home, cwd)
  const statOf = (path: string) => host.files.stat(path).catch(() => undefined)
  if (cwd !== undefined && (await statOf(folder))?.kind !== 'folder') return `there is no folder ${folder}`
  // Endings and other folders count on Windows.
  if (program === undefined || host.platform === 'win32') return undefined
  if (!program.includes('/')) {
    const place = await onPath(program, host, env?.['PATH'])
    return place === undefined ? `there is no program ${shown(program)} on PATH` : undefined
  }
  const path = resolve(folder, program)
  const stat = await statOf(path)
  if (stat?.kind !== 'file') return `there is no program at ${path}`
  return stat.executable ? undefined : `${path} is not executable`
}
