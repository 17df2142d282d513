import { isMapping } from '../../lib/objects.ts'
import { SHORTEST } from '../../lib/redaction/secret-forms.ts'

const FIELDS = ['api_key', 'headers', 'env']

/** Substrings, and whole words, that mark the name of a secret. */
const MARK = /key|token|secret|password|auth/i
const WORDS = new Set([
  'pass',
  'passwd',
  'pwd',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'session',
  'sessions',
])

/** Whether a name, in any case, suggests that its value is secret. */
export function isSecretName(name: string): boolean {
  return MARK.test(name) || wordsOf(name).some(word => WORDS.has(word))
}

/** Splits names such as `DB_PASS`, `dbPass`, `db-pass` and `HTTPSession` into words. */
function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return apart.toLowerCase().split(/[^a-z]+/)
}

/** Whether the value of a variable is secret, judged by its name and by the keys that lead to it. */
export function isSecret(value: string, [name = '', ...path]: readonly string[]): boolean {
  return (FIELDS.includes(path[0] ?? '') || [name, ...path].some(isSecretName)) && value.length >= SHORTEST
}

/** Adds a secret and the parts of it that are secret by themselves. */
export function addSecret(secrets: Map<string, string>, value: string, name: string): void {
  secrets.set(value, name)
  for (const part of partsOf(value)) if (!secrets.has(part)) secrets.set(part, name)
}

/** Adds secrets that are written literally: in fields with the name of a secret, and in URLs. */
export function addWrittenSecrets(target: unknown, secrets: Map<string, string>): void {
  for (const [name, value] of namedFields(target)) {
    if (value.length >= SHORTEST && !value.includes('${{')) addSecret(secrets, value, name)
  }
  for (const text of textsIn(target)) addUrlSecrets(text, secrets)
}

/** Adds secrets that appear only after variables are filled in. */
export function addFilledSecrets(target: unknown, secrets: Map<string, string>): void {
  for (const [name, value] of namedFields(target))
    for (const part of partsOf(value)) if (!secrets.has(part)) secrets.set(part, name)
  for (const text of textsIn(target)) addUrlSecrets(text, secrets)
}

/** Returns the fields of a target that have the name of a secret. */
function namedFields(target: unknown): [name: string, value: string][] {
  if (!isMapping(target)) return []
  const sections = [{ api_key: target['api_key'] }, target['headers'], target['env']]
  return sections
    .flatMap(fields => (isMapping(fields) ? Object.entries(fields) : []))
    .flatMap(([name, value]) => {
      const isText = typeof value === 'string' || typeof value === 'number'
      return isText && isSecretName(name) ? [[name, String(value)]] : []
    })
}

/** Returns the parts of a value that are secret by themselves: credentials after a scheme, a Basic password, cookie values. */
function partsOf(value: string): string[] {
  const [, scheme = '', credentials] = /^([A-Za-z][\w-]*)[ \t]+(\S+)$/.exec(value) ?? []
  const parts = credentials === undefined ? cookieValues(value) : [credentials]
  if (credentials !== undefined && scheme.toLowerCase() === 'basic') {
    const pair = Buffer.from(credentials, 'base64').toString('utf8')
    if (pair.includes(':')) parts.push(pair, pair.slice(pair.indexOf(':') + 1))
  }
  return parts.filter(part => part.length >= SHORTEST)
}

const COOKIES = /^[\w!#$%&'*+.^`|~-]+=[^;,\s]*(?:; ?[\w!#$%&'*+.^`|~-]+(?:=[^;,\s]*)?)*;?$/

/** Returns the values of cookies, except for plain words such as `dark` or `german`. */
function cookieValues(value: string): string[] {
  if (!COOKIES.test(value)) return []
  const values = value.split(';').map(cookie => cookie.slice(cookie.indexOf('=') + 1).trim())
  return values.filter(each => /[^a-z]/.test(each) || each.length >= 2 * SHORTEST)
}

/** Adds passwords and secret query parameters of URLs. */
function addUrlSecrets(text: string, secrets: Map<string, string>): void {
  const passwords = [...text.matchAll(/:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/g)].map(([, value = '']) => ['password', value])
  const parameters = [...text.matchAll(/[?&]([\w.-]+)=([^&#\s]+)/g)].map(([, name = '', value = '']) => [name, value])
  for (const [name = '', value = ''] of [...passwords, ...parameters.filter(([name = '']) => isSecretName(name))]) {
    if (value.length >= SHORTEST && !value.includes('{{') && !secrets.has(value)) secrets.set(value, name)
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
