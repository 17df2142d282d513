import { nearest } from '../../lib/nearest.ts'
import type { Issue } from '../../model/issue.ts'
import type { Path } from '../../model/location.ts'

/** A word in braces that no placeholder is: a mistake where it is close to one, else perhaps meant as it is. */
export function unknownPlaceholder(
  written: string,
  known: ReadonlyMap<string, string>,
  name: string,
  path: Path,
): Issue {
  const near = nearest(name, known.keys())
  const message = `\`${written}\` is not a placeholder and is passed on unchanged`
  const all = `the placeholders are ${[...known.values()].join(', ')}`
  if (near === undefined) return { code: 'unknown-variable', severity: 'warning', path, message, hint: all }
  return { code: 'unknown-variable', path, message, hint: `did you mean \`${known.get(near)}\`?` }
}
