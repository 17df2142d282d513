import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { fillText, findVariables } from '../../parse/targets/variables.ts'
import { connect } from '../../queue/connection.ts'
import { type QueueOverview, queueOverview } from '../../queue/overview.ts'

/** The URL of a queue, with what of it is secret. */
export interface QueueUrl {
  readonly url: string
  readonly secrets: ReadonlyMap<string, string>
}

const VARIABLE = 'ASSAY_QUEUE'

/** The queue that the user names, with variables filled in, else that of the environment. */
export async function resolveQueue(given: string | undefined, host: Host): Promise<QueueUrl> {
  const variables = await findVariables(host.cwd, new Files(host, new Diagnostics()))
  const text = given || (variables(VARIABLE) ?? '')
  if (text === '')
    throw new UserError('No queue given.', `Name one with \`--queue redis://host:6379\`, or in ${VARIABLE}.`)
  const url = fillText(text, name => {
    const value = variables(name)
    if (value === undefined) throw new UserError(`The variable ${name}, in the URL of the queue, is not set.`)
    return value
  })
  return { url: checked(url), secrets: secretsIn(url) }
}

function checked(url: string): string {
  const isRedis = URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)
  if (!isRedis) throw new UserError('The queue must be a URL such as redis://host:6379, or rediss://… with TLS.')
  return url
}

function secretsIn(url: string): ReadonlyMap<string, string> {
  const { password } = new URL(url)
  if (password === '') return new Map()
  const plain = decodeURIComponent(password)
  return new Map([plain, url].map(secret => [secret, VARIABLE]))
}

/** What waits, runs and failed in a queue, and which workers are connected. */
export async function inspectQueue(
  { url }: QueueUrl,
  onMessage: (message: string) => void,
  host: Host,
): Promise<QueueOverview> {
  const connection = await connect({ url, name: 'assay-queue', host, say: onMessage })
  try {
    return await queueOverview(connection)
  } finally {
    connection.close()
  }
}
