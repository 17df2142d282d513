import { quoteCode } from '../lib/text/quote.ts'
import type { Execution } from '../model/execution.ts'
import { MARK_KEYS } from '../model/mark.ts'
import type { Suite } from '../model/suite.ts'

interface Settings {
  readonly description?: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly execution: Execution
}

/** Settings of a suite or test that a format has no place for, but for marks. `kept`: paths of those that it has. */
export function lostSettings({ description, metadata, execution }: Settings, kept: readonly string[]): string[] {
  const written = { description, ...withPrefix('metadata', metadata), ...withPrefix('execution', execution) }
  const reported = [...kept, ...MARK_KEYS.map(key => `execution.${key}`)]
  return Object.entries(written)
    .filter(([path, value]) => value !== undefined && !reported.includes(path))
    .map(([path]) => `\`${path}\``)
}

/** Says which variants a format has no place for: it gets the first one. */
export function lostVariants({ variants = [] }: Suite): string[] {
  const [first, ...others] = variants.map(({ name }) => quoteCode(name))
  return others.length === 0 ? [] : [`the variants ${others.join(', ')} (only ${first} is written)`]
}

function withPrefix(prefix: string, fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${prefix}.${key}`, value]))
}
