import { spawnSync } from 'node:child_process'
import { describe, it } from 'vitest'
import { run } from '../program.ts'

/** Whether tests that need Python are skipped. */
export interface FoundPython {
  readonly isSkipped: boolean
  /** Why it is missing and how to install it; undefined if it is installed. */
  readonly problem: string | undefined
}

interface Requirement {
  readonly program: string
  /** What the tests cannot do without it. */
  readonly lost: string
  readonly how: string
}

const PYYAML = {
  program: 'import yaml',
  lost: 'Logs cannot be read',
  how: 'apt install python3-yaml, or pip install pyyaml',
}

/** Only the standard library of Python. */
export const PLAIN = { program: 'import csv, xml.etree', lost: 'Reports cannot be read', how: 'apt install python3' }

/** Tests that need a missing Python are skipped; in CI they run and fail. */
export function findPython(env: NodeJS.ProcessEnv, { program, lost, how }: Requirement = PYYAML): FoundPython {
  const { status, error, stderr } = spawnSync('python3', ['-c', program], { env, encoding: 'utf8' })
  if (status === 0) return { isSkipped: false, problem: undefined }
  const why = error?.message ?? stderr.trim().split('\n').at(-1)
  const problem = `${lost} with Python (${why}). To get it: ${how}`
  return { isSkipped: !env['CI'], problem }
}

const found = findPython(process.env)
if (found.problem !== undefined) console.warn(found.problem)

/** Tests that read files of assay with Python and PyYAML. */
export const describeWithPython = describe.skipIf(found.isSkipped)
export const itWithPython = it.skipIf(found.isSkipped)

/** Tests that need only the standard library, which is present if PyYAML is. */
export const itWithPlainPython = it.skipIf(found.isSkipped && findPython(process.env, PLAIN).isSkipped)

/** Runs a Python program that prints one JSON value in ASCII. */
export async function readPython<Value>(program: string, input: string, cwd: string): Promise<Value> {
  const { code, stdout, stderr } = await run('python3', ['-c', program], { cwd, input, env: { PYTHONUTF8: '1' } })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const PROGRAM = `
import json, sys, yaml
print(json.dumps([repr(yaml.safe_load(text)) for text in json.load(sys.stdin)]))
`

/** The Python `repr` of YAML texts. */
export function pythonReprs(texts: readonly string[]): Promise<string[]> {
  return readPython(PROGRAM, JSON.stringify(texts), '.')
}
