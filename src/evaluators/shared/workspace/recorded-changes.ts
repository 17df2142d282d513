import { singleLine, truncate } from '../../../lib/text/quote.ts'
import type { FileChange } from '../../../model/changes.ts'
import type { Subject } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'

/** Returns what the agent changed. Throws `Unjudged` if that is unknown. */
export function changesOf({ answer }: Subject): readonly FileChange[] {
  if (answer.changes) return answer.changes
  throw new Unjudged('no-workspace', 'the changes of the agent are unknown: the answer was given without a workspace')
}

/** Paths are shown in full up to this length. */
const LONGEST_PATH = 300

/** Quotes a path that an agent chose: on one line. */
export function quotePath(path: string): string {
  return `\`${truncate(singleLine(path), LONGEST_PATH)}\``
}

/** `created \`a.txt\``. */
export function describeChange({ state, path }: FileChange): string {
  return `${state} ${quotePath(path)}`
}

const MOST_NAMED = 10

/** Joins texts, of which the first ones are written out: `a, b and 3 more`. */
export function joinSome(texts: readonly string[]): string {
  const left = texts.length - MOST_NAMED
  return left > 0 ? `${texts.slice(0, MOST_NAMED).join(', ')} and ${left} more` : texts.join(', ')
}

/** Describes all changes of an agent, for a check that expected others. */
export function describeChanges(changes: readonly FileChange[]): string {
  return changes.length === 0 ? 'the agent changed no file' : `the agent ${joinSome(changes.map(describeChange))}`
}
