import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { runGit } from '../../record/git.ts'

/** The longest name of a person. */
const LONGEST_NAME = 100

/** The name of the person who labels: as given, that of git, or the user of the machine. */
export async function personName(given: string | undefined, root: string, host: Host): Promise<string> {
  const name = (given ?? (await gitName(root, host)) ?? host.env['USER'] ?? host.env['USERNAME'] ?? '').trim()
  if (name === '' || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw new UserError(
      given === undefined && name === ''
        ? 'Cannot tell who labels: git has no user.name, and $USER is not set.'
        : `The name of the person must have 1 to ${LONGEST_NAME} characters, without control characters.`,
      'Name the person with --by NAME.',
    )
  return name
}

async function gitName(root: string, host: Host): Promise<string | undefined> {
  const end = await runGit(['config', '--get', 'user.name'], root, host)
  const name = end?.code === 0 ? end.stdout.trim() : ''
  return name === '' ? undefined : name
}
