import { readPython } from './read-python.ts'

const PROGRAM = `
import json, sys, yaml
print(json.dumps([repr(yaml.safe_load(text)) for text in json.load(sys.stdin)]))
`

/** What Python finds in YAML texts, as its `repr` says it, with the types. */
export function pythonReprs(texts: readonly string[]): Promise<string[]> {
  return readPython(PROGRAM, JSON.stringify(texts), '.')
}
