import { basename, join, resolve } from 'node:path'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { AskContext } from '../../../model/provider.ts'
import { type ConfigFields, configFolder, findSkillFolders } from './agent-skills.ts'

/** Where an agent stores its configuration. */
export interface ConfigLocation {
  /** The environment variable that sets the folder. */
  readonly variable: string
  /** The default folder, relative to the home folder of the user. */
  readonly usual: string
  /** The files with the user's login, which an isolated agent needs too. */
  readonly credentials: readonly string[]
}

/** Calls `run` with the environment variables for the configuration that a target requests. */
export async function withAgentHome<Result>(
  fields: ConfigFields,
  places: ConfigLocation,
  { host, home }: AskContext,
  run: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const place = configFolder(fields)
  if (place === 'user') return run({})
  const isIsolated = place === 'isolated'
  if (!isIsolated && !fields.sandbox) return run({ [places.variable]: resolve(home, place) })
  const fill = async (folder: string) => {
    // An agent in a sandbox writes to a copy of the folder that was prepared for it.
    if (!isIsolated) return host.files.copyFolder(resolve(home, place), folder)
    await fillIsolatedHome(folder, places, await findSkillFolders(fields.skills ?? [], home, host), host)
  }
  const folder = await temporaryHome(fill, host).catch(throwHomeError)
  try {
    return await run({ [places.variable]: folder })
  } finally {
    // A folder that cannot be removed now is removed when the process exits.
    await host.files.remove(folder).catch(() => {})
  }
}

async function temporaryHome(fill: (folder: string) => Promise<void>, host: Host): Promise<string> {
  const folder = await host.files.makeTemporaryFolder()
  try {
    await fill(folder)
    return folder
  } catch (error) {
    await host.files.remove(folder).catch(() => {})
    throw error
  }
}

async function fillIsolatedHome(
  folder: string,
  places: ConfigLocation,
  skills: readonly string[],
  host: Host,
): Promise<void> {
  await copyCredentials(places, folder, host)
  for (const skill of skills) await host.files.copyFolder(skill, join(folder, 'skills', basename(skill)))
}

function throwHomeError(error: Error): never {
  throw new NoAnswer('target-error', `cannot create the configuration folder of the agent: ${error.message}`)
}

/** The configuration folder of the user. */
export function userFolder(
  { variable, usual }: Pick<ConfigLocation, 'variable' | 'usual'>,
  host: Host,
): string | undefined {
  const { [variable]: named, HOME, USERPROFILE } = host.env
  const user = HOME ?? USERPROFILE
  // Agents treat an empty variable as unset.
  return named || (user === undefined ? undefined : join(user, usual))
}

async function copyCredentials(
  { variable, usual, credentials }: ConfigLocation,
  to: string,
  host: Host,
): Promise<void> {
  const from = userFolder({ variable, usual }, host)
  if (from === undefined) return
  if ((await host.files.stat(from).catch(() => undefined))?.kind === 'folder')
    await host.files.copyFolder(from, to, { files: credentials })
}
