import type * as z from 'zod'
import { formatJsonPath, valueAt } from '../../lib/json/path.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import { NoAnswer } from '../../model/answer.ts'
import { keysAt } from '../../model/messages/written-answer.ts'

/** A schema that rejects unknown keys, and the same one without them. */
export interface WrittenSchemas<Schema extends z.ZodType> {
  readonly strict: Schema
  readonly lax: z.ZodType<z.output<Schema>>
}

/** A value under a schema. Unknown keys go to `onUnknown`, which throws or lets them be ignored; any other problem is no answer. */
export function readWritten<Schema extends z.ZodType>(
  value: unknown,
  { strict, lax }: WrittenSchemas<Schema>,
  at: readonly PropertyKey[],
  onUnknown: (paths: readonly PropertyKey[][]) => void,
): z.output<Schema> {
  const parsed = strict.safeParse(value)
  if (parsed.success) return parsed.data
  const unknown = unknownKeys(parsed.error, value).map(path => [...at, ...path])
  if (unknown.length > 0) onUnknown(unknown)
  const rest = lax.safeParse(value)
  if (rest.success) return rest.data
  const { path, message } = firstProblem({
    issues: rest.error.issues.map(issue => ({ ...issue, path: [...at, ...issue.path] })),
  })
  throw new NoAnswer('bad-response', `\`${path}\` of the answer: ${message}`)
}

/** Paths of unknown keys. One that has no value says nothing that could be lost. */
function unknownKeys({ issues }: z.core.$ZodError, value: unknown): PropertyKey[][] {
  const paths = issues.flatMap(issue =>
    issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [],
  )
  return paths.filter(path => valueAt(value, path as (string | number)[])?.value != null)
}

const MOST_NAMED = 5

/** Unknown keys for a message: the first ones with their paths, and with the known keys that were probably meant. */
export function unknownKeysText(paths: readonly PropertyKey[][]): string {
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  const named = paths.slice(0, MOST_NAMED).map(path => {
    const meant = meantKey(String(path.at(-1)), keysAt(path.slice(0, -1)))
    return quoteCode(formatJsonPath(path)) + (meant === undefined ? '' : ` (did you mean \`${meant}\`?)`)
  })
  return `unknown ${paths.length === 1 ? 'key' : 'keys'} ${named.join(', ')}${more} in the answer`
}

/** The known key that a mistyped one most likely meant: spelled like it, or with it as one of its words. */
function meantKey(key: string, known: readonly string[]): string | undefined {
  const synonym = SYNONYMS.get(key)
  if (synonym !== undefined && known.includes(synonym)) return synonym
  return closestMatch(key, known) ?? known.find(each => each.split('_').includes(key.toLowerCase()))
}

/** Keys of other formats that mean one of ours. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['name', 'tool'],
  ['arguments', 'input'],
  ['parameters', 'input'],
  ['result', 'output'],
])
