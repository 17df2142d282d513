import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every result of the newest run in a folder. */
export function newestResults(runs) {
  const newest = readdirSync(runs)
    .filter(name => /^\d/.test(name))
    .sort()
    .at(-1)
  const lines = readFileSync(join(runs, newest, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map(line => JSON.parse(line))
}
