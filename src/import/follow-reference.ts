import { quoteCode } from '../lib/text/quote.ts'
import type { ImportNotes } from './import-notes.ts'
import type { Written } from './written.ts'

/** Most references that lead to each other: a cycle ends here. */
const MOST_STEPS = 20

/**
 * The value that a mapping with a `$ref` stands for, such as `#/assertionTemplates/polite`. Undefined, with a note, if
 * it leads nowhere, to itself or to another file.
 */
export function followReference(written: Written, root: Written, notes: ImportNotes): Written | undefined {
  let found: Written | undefined = written
  for (let step = 0; step < MOST_STEPS; step++) {
    const reference: string | undefined = found?.get('$ref')?.text()
    if (!found || reference === undefined) break
    found = reference.startsWith('#/') ? valueAt(reference.slice('#/'.length), root) : undefined
  }
  if (found && !found.get('$ref')) return found
  const name = quoteCode(written.get('$ref')?.text() ?? '')
  notes.leftOut(
    written.at,
    `the reference ${name}, ${found ? 'which leads to itself' : 'which leads to no value here'}`,
  )
  return undefined
}

function valueAt(pointer: string, root: Written): Written | undefined {
  let found: Written | undefined = root
  for (const part of pointer.split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = Array.isArray(found?.value) ? found.items()[Number(key)] : found?.get(key)
  }
  return found
}
