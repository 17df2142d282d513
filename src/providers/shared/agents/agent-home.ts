import { basename, join, resolve } from 'node:path'
import type { Host } from '../../../model/host.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import type { AskContext } from '../../../model/provider.ts'
import { skillFolders } from './skill-folders.ts'

/** Where an agent keeps its configuration. */
export interface AgentPlaces {
  /** The variable that names the folder. */
  readonly variable: string
  /** The folder where nobody names one, in the user's own. */
  readonly usual: string
  /** The files in it that say who the user is: without them, an agent elsewhere could not sign in. */
  readonly credentials: readonly string[]
}

interface HomeFields {
  readonly config_dir?: string | undefined
  readonly skills?: readonly string[] | undefined
}

/** Runs something with the configuration that a target asks for, given as variables of the environment. */
export async function withAgentHome<Result>(
  { config_dir, skills }: HomeFields,
  places: AgentPlaces,
  { host, home }: AskContext,
  run: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const place = config_dir ?? (skills ? 'isolated' : 'user')
  if (place === 'user') return run({})
  if (place !== 'isolated') return run({ [places.variable]: resolve(home, place) })
  const folder = await isolatedHome(places, await skillFolders(skills ?? [], home, host), host).catch(cannotMake)
  try {
    return await run({ [places.variable]: folder })
  } finally {
    // One that cannot be removed now is removed when we end.
    await host.files.remove(folder).catch(() => {})
  }
}

async function isolatedHome(places: AgentPlaces, skills: readonly string[], host: Host): Promise<string> {
  const folder = await host.files.makeTemporaryFolder()
  try {
    await copyCredentials(places, folder, host)
    for (const skill of skills) await host.files.copyFolder(skill, join(folder, 'skills', basename(skill)))
    return folder
  } catch (error) {
    await host.files.remove(folder).catch(() => {})
    throw error
  }
}

function cannotMake(error: Error): never {
  throw new NoAnswer('target-error', `the configuration of the agent cannot be made: ${error.message}`)
}

async function copyCredentials({ variable, usual, credentials }: AgentPlaces, to: string, host: Host): Promise<void> {
  const { [variable]: named, HOME, USERPROFILE } = host.env
  const user = HOME ?? USERPROFILE
  // To the agents, an empty one is none.
  const from = named || (user === undefined ? undefined : join(user, usual))
  if (from === undefined) return
  if ((await host.files.stat(from).catch(() => undefined))?.kind === 'folder')
    await host.files.copyFolder(from, to, { files: credentials })
}
