import { redactApiKeys } from '../lib/redaction/api-keys.ts'
import type { ImportNotes } from './import-notes.ts'
import type { Written } from './written.ts'

/** Names of fields whose value is a secret, whatever it looks like. */
const SECRET_NAME = /(?:api[_-]?key|token|secret|password|authorization|credential)s?$/i

/** Settings that only count tokens. */
const TOKEN_COUNT = /(?:max|min|total|budget)[_-]?(?:\w+[_-]?)?tokens?$/i

/** References to variables of the environment: `{{env.NAME}}`, `${NAME}` and `$NAME`. */
const REFERENCE = /\{\{\s*env\.(\w+)\s*\}\}|\{\{\s*env\[['"](\w+)['"]\]\s*\}\}|\$\{\{\s*(\w+)\s*\}\}|\$\{(\w+)\}/g

/** A setting of a target: references to the environment as Assay writes them, and no secret. */
export function safeSetting(name: string, written: Written, variable: string, notes: ImportNotes): unknown {
  const { value } = written
  if (typeof value !== 'string') return value
  const text = value.replace(REFERENCE, (_, a, b, c, d) => `\${{ ${a ?? b ?? c ?? d} }}`)
  const isReference = text.includes('${{')
  const isNamed = SECRET_NAME.test(name) && !TOKEN_COUNT.test(name) && text.trim() !== ''
  if (isReference || (!isNamed && redactApiKeys(text) === text)) return text
  notes.approximated(written.at, `a secret in the file is not copied: set the variable ${variable}`)
  const bearer = /^(Bearer|Basic) /i.exec(text)?.[0] ?? ''
  return `${bearer}\${{ ${variable} }}`
}

/** The name of a variable for a setting of a target: `MY_TARGET_API_KEY`. */
export function variableFor(target: string, setting: string): string {
  const words = `${target}_${setting}`.replace(/([a-z])([A-Z])/g, '$1_$2')
  const name = words
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
  return /^[A-Z]/.test(name) ? name : `TARGET_${name}`
}
