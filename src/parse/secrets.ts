import { isMapping } from '../lib/is-mapping.ts'

/** Anything shorter would be found in ordinary words. */
const SHORTEST = 6

const FIELDS = ['api_key', 'headers', 'env']
const NAME = /key|token|secret|password|auth/i

/** Whether the value of a variable must not be shown: by its name, and by the keys that lead to it in a target. */
export function isSecret(value: string, [name = '', ...path]: readonly string[]): boolean {
  const isNamed = FIELDS.includes(path[0] ?? '') || [name, ...path].some(word => NAME.test(word))
  return isNamed && value.length >= SHORTEST
}

/** Secrets that are written out where a variable should stand: those of fields whose name says so. */
export function writtenSecrets(target: unknown, secrets: Map<string, string>): void {
  if (!isMapping(target)) return
  const places = [{ api_key: target['api_key'] }, target['headers'], target['env']]
  for (const [name, value] of places.flatMap(fields => (isMapping(fields) ? Object.entries(fields) : []))) {
    const isWritten = typeof value === 'string' && value.length >= SHORTEST && !value.includes('${{')
    if (isWritten && NAME.test(name)) secrets.set(value, name)
  }
}
