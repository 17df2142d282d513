import { join } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import { shortHash } from '../lib/sha256.ts'
import { firstProblem } from '../lib/zod-problem.ts'
import type { Host } from '../model/host.ts'
import { type Label, labelSchema } from '../model/label.ts'
import { RunError, readIfExists } from './run-error.ts'

/** The file of the labels of a suite. */
export function labelPath(settingsFolder: string, suite: string): string {
  return join(settingsFolder, 'labels', `${fileNameOf(suite)}.jsonl`)
}

/** The longest name of a suite that is a file name. */
const MOST_CHARACTERS = 100

/** A file name for a suite on every system; a hash keeps names apart that would be the same. */
export function fileNameOf(suite: string): string {
  const name = suite.replace(/[^\p{L}\p{N}._-]/gu, '-').replace(/^\.+/, '-')
  return name === suite && name !== '' && name.length <= MOST_CHARACTERS
    ? name
    : `${name.slice(0, MOST_CHARACTERS)}-${shortHash(suite)}`
}

/** Reads the labels of a suite, in the order in which they were given; a missing file has none. Throws on a line that is no label. */
export async function readLabels(path: string, host: Host): Promise<Label[]> {
  const bytes = await readIfExists(path, host)
  const lines = bytes ? new TextDecoder().decode(bytes).split('\n') : []
  // The last line counts without a line break too: a label that was cut off is an error, never left out.
  return lines.flatMap((text, index) => (text.trim() === '' ? [] : [parseLabel(text, `${path}:${index + 1}`)]))
}

function parseLabel(text: string, location: string): Label {
  const value = parseJson(text)
  if (value === undefined) throw new RunError(`${location}: invalid JSON. Repair the line or remove it.`)
  const parsed = labelSchema().safeParse(value)
  if (parsed.success) return parsed.data
  const { path, message } = firstProblem(parsed.error)
  throw new RunError(`${location}: this is not a label: \`${path || 'the line'}\`: ${message}. Repair it or remove it.`)
}
