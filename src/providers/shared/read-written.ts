import { formatJsonPath, valueAt } from '../../lib/json/path.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import type * as z from '../../lib/zod.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import { NoAnswer } from '../../model/answer.ts'
import { keysAt } from '../../model/messages/written-answer.ts'

/** A schema that rejects unknown keys, and the same schema that ignores them. */
export interface WrittenSchemas<Schema extends z.ZodType> {
  readonly strict: Schema
  readonly lax: z.ZodType<z.output<Schema>>
}

/** Parses a part of an answer. Passes unknown keys to `onUnknown`, which may throw; throws `NoAnswer` for any other problem. */
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

/** Finds the paths of unknown keys. Keys without a value are ignored: nothing is lost with them. */
function unknownKeys({ issues }: z.core.$ZodError, value: unknown): PropertyKey[][] {
  const paths = issues.flatMap(issue =>
    issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [],
  )
  return paths.filter(path => valueAt(value, path as (string | number)[])?.value != null)
}

const MAX_NAMED = 5

/** Formats unknown keys for a message: the first few, each with its path and the most similar known key. */
export function unknownKeysText(paths: readonly PropertyKey[][]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  const named = paths.slice(0, MAX_NAMED).map(path => {
    const similar = similarKey(String(path.at(-1)), keysAt(path.slice(0, -1)))
    return quoteCode(formatJsonPath(path)) + (similar === undefined ? '' : ` (did you mean \`${similar}\`?)`)
  })
  return `unknown ${paths.length === 1 ? 'key' : 'keys'} ${named.join(', ')}${more} in the answer`
}

/** Finds the known key that is spelled like an unknown one, or has it as one of its words. */
function similarKey(key: string, known: readonly string[]): string | undefined {
  const synonym = SYNONYMS.get(key)
  if (synonym !== undefined && known.includes(synonym)) return synonym
  return closestMatch(key, known) ?? known.find(each => each.split('_').includes(key.toLowerCase()))
}

/** Keys of other formats and their names here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['name', 'tool'],
  ['arguments', 'input'],
  ['parameters', 'input'],
  ['result', 'output'],
])
