import { spawnSync } from 'node:child_process'

const PROGRAM = `
import json, sys, yaml
print(json.dumps([repr(yaml.safe_load(text)) for text in json.load(sys.stdin)]))
`

/** What Python finds in YAML texts, as its `repr` says it, with the types; undefined where there is no PyYAML. */
export function pythonReprs(texts: readonly string[]): string[] | undefined {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PROGRAM], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
  })
  if (status === 0) return JSON.parse(stdout)
  if (!process.env['CI'] && /No module named|not found/.test(stderr ?? 'not found')) return undefined
  throw new Error(stderr)
}

export const NO_PYTHON = 'needs python3 with PyYAML (Debian: apt install python3-yaml)'
