import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { addSecret, isSecretName } from '../../parse/targets/secrets.ts'
import type { Resource } from '../../report/otel/otlp.ts'

/** Where spans are sent, and with what. */
export interface OtelSettings {
  /** The address of the receiver: it ends in `/v1/traces`, unless a variable names another one. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Resource
  /** Whether prompts and answers are sent. */
  readonly content: boolean
  /** Values of headers that are never recorded, shown or sent as an attribute, with the name to show instead. */
  readonly secrets: ReadonlyMap<string, string>
}

/** What the user asks for. */
export interface OtelRequest {
  /** The address of a collector; `true` if the environment names it. */
  readonly url: string | true
  readonly content: boolean
}

const TRACES_PATH = '/v1/traces'

/** Completes a request with the variables that all exporters of OpenTelemetry read. */
export function otelSettings({ url, content }: OtelRequest, { env }: Host): OtelSettings {
  const headersVariable = variableOf('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS', env)
  const headers = pairsIn(headersVariable, env)
  const attributes = pairsIn('OTEL_RESOURCE_ATTRIBUTES', env)
  const secrets = new Map<string, string>()
  for (const [name, value] of headers) {
    requireHeader(name, value, headersVariable)
    if (isSecretName(name) || KEY_LIKE.test(value)) addSecret(secrets, value, headersVariable)
  }
  return {
    url: url === true ? endpointOf(env) : receiverAt(url, '--otel'),
    headers: Object.fromEntries(headers),
    resource: {
      'service.name': env['OTEL_SERVICE_NAME'] || attributes.get('service.name') || 'assay',
      ...Object.fromEntries([...attributes].filter(([name]) => name !== 'service.name')),
    },
    content,
    secrets,
  }
}

/** Headers of some services have a key under a name that does not say so. */
const KEY_LIKE = /^(?=\S*\d)\S{16,}$/

type Env = Host['env']

/** The variable for traces if it is set, else the one for all signals. */
function variableOf(own: string, general: string, env: Env): string {
  return env[own] ? own : general
}

function endpointOf(env: Env): string {
  const variable = variableOf('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT', env)
  const url = env[variable]
  if (!url)
    throw new UserError(
      'No collector given.',
      'Name one with `--otel http://localhost:4318`, or in OTEL_EXPORTER_OTLP_ENDPOINT.',
    )
  // The variable for traces names the receiver itself.
  return variable.includes('TRACES') ? checkedUrl(url, variable).href : receiverAt(url, variable)
}

/** The receiver of traces at the address of a collector. */
function receiverAt(text: string, from: string): string {
  const url = checkedUrl(text, from)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith(TRACES_PATH) ? path : `${path}${TRACES_PATH}`
  return url.href
}

function checkedUrl(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(
      `${from} must be the address of a collector, such as http://localhost:4318.`,
      from === '--otel' ? 'Write other arguments before `--otel`, or after `--`.' : undefined,
    )
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new UserError(
      `The address in ${from} cannot contain credentials or a query.`,
      'Send them as headers, in OTEL_EXPORTER_OTLP_HEADERS: `api-key=…`, percent-encoded.',
    )
  url.hash = ''
  return url
}

/** Reads a list such as `api-key=abc,team=a%20b`, with percent-encoded values. */
function pairsIn(variable: string, env: Env): Map<string, string> {
  const entries = (env[variable] ?? '').split(',').map(entry => entry.trim())
  const pairs = new Map<string, string>()
  for (const [index, entry] of entries.entries()) {
    if (entry === '') continue
    const at = entry.indexOf('=')
    const name = decoded(entry.slice(0, Math.max(0, at)).trim())
    const value = decoded(entry.slice(at + 1).trim())
    // The entry itself may be secret.
    if (!name || value === undefined)
      throw new UserError(
        `${variable} is invalid: entry ${index + 1} is not \`name=value\` with a percent-encoded value.`,
      )
    pairs.set(name, value)
  }
  return pairs
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function requireHeader(name: string, value: string, variable: string): void {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return
  throw new UserError(`${variable} is invalid: the header ${JSON.stringify(name)} cannot be sent.`)
}
