import { redactApiKeysIn } from '../../lib/redaction/api-keys.ts'
import { createRedactor } from '../../lib/redaction/redactor.ts'

/** Redacts what is written into mocks. */
export interface MockRedaction {
  /** Redacts a value of JSON, and returns the names of the secrets in it. */
  redact(value: unknown): { readonly value: unknown; readonly names: readonly string[] }
  text(text: string): string
}

/** Replaces secrets by their names, and what looks like an API key by `[key]`. */
export function mockRedaction(secrets: ReadonlyMap<string, string>): MockRedaction {
  // Numbers are redacted below `value` too: nothing in there is ours.
  const rules = { kept: new Set<string>(), counted: new Set<string>(), free: new Set(['value']) }
  const redactor = createRedactor(secrets, rules)
  const marks = [...new Set([...secrets.values(), 'key'])].map(name => ({ name, mark: `[${name}]` }))
  return {
    redact(value) {
      const before = JSON.stringify({ value })
      const redacted = redactApiKeysIn(JSON.parse(redactor.json({ value })))
      const after = JSON.stringify(redacted)
      const isChanged = after !== before
      const isIn = (mark: string) => after.includes(JSON.stringify(mark).slice(1, -1))
      return {
        value: redacted.value,
        names: isChanged ? marks.filter(({ mark }) => isIn(mark)).map(({ name }) => name) : [],
      }
    },
    text: redactor.text,
  }
}
