// Parses every result of the newest run, and writes it again.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , runs, output] = process.argv
const newest = readdirSync(runs)
  .filter(name => /^\d/.test(name))
  .sort()
  .at(-1)
const lines = readFileSync(join(runs, newest, 'results.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
writeFileSync(output, lines.map(line => `${JSON.stringify(JSON.parse(line))}\n`).join(''))
