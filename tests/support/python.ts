import { spawnSync } from 'node:child_process'
import { describe, it } from 'vitest'
import { run } from './program.ts'

/** Whether there is a Python with what tests need of it, and what becomes of these. */
export interface FoundPython {
  readonly isSkipped: boolean
  /** Why it is missing and how to install it; undefined if it is installed. */
  readonly problem: string | undefined
}

interface Needed {
  readonly program: string
  /** What cannot be done without it. */
  readonly lost: string
  readonly how: string
}

const PYYAML = {
  program: 'import yaml',
  lost: 'Logs cannot be read',
  how: 'apt install python3-yaml, or pip install pyyaml',
}

/** Nothing but what comes with Python. */
export const PLAIN = { program: 'import csv, xml.etree', lost: 'Reports cannot be read', how: 'apt install python3' }

/** Where it is missing, tests that need it are skipped; in CI they run all the same, and fail. */
export function findPython(env: NodeJS.ProcessEnv, { program, lost, how }: Needed = PYYAML): FoundPython {
  const { status, error, stderr } = spawnSync('python3', ['-c', program], { env, encoding: 'utf8' })
  if (status === 0) return { isSkipped: false, problem: undefined }
  const why = error?.message ?? stderr.trim().split('\n').at(-1)
  const problem = `${lost} with Python (${why}). To get it: ${how}`
  return { isSkipped: !env['CI'], problem }
}

const found = findPython(process.env)
if (found.problem !== undefined) console.warn(found.problem)

/** Tests that read with Python what we wrote. */
export const describeWithPython = describe.skipIf(found.isSkipped)
export const itWithPython = it.skipIf(found.isSkipped)

/** The same where no module is needed. Whoever has PyYAML has that too. */
export const itWithPlainPython = it.skipIf(found.isSkipped && findPython(process.env, PLAIN).isSkipped)

/** Runs a Python program that prints one JSON value. What is said in it may be anything: it is printed in ASCII. */
export async function readPython<Value>(program: string, input: string, cwd: string): Promise<Value> {
  const { code, stdout, stderr } = await run('python3', ['-c', program], { cwd, input, env: { PYTHONUTF8: '1' } })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const PROGRAM = `
import json, sys, yaml
print(json.dumps([repr(yaml.safe_load(text)) for text in json.load(sys.stdin)]))
`

/** What Python finds in YAML texts, as its `repr` says it, with the types. */
export function pythonReprs(texts: readonly string[]): Promise<string[]> {
  return readPython(PROGRAM, JSON.stringify(texts), '.')
}
