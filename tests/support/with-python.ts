import { spawnSync } from 'node:child_process'
import { describe, it } from 'vitest'

/** Whether there is a Python with PyYAML, and what becomes of the tests that need it. */
export interface FoundPython {
  readonly isSkipped: boolean
  /** Why there is none, and how to get it; undefined where it is there. */
  readonly problem: string | undefined
}

/** Where it is missing, tests that need it are skipped; in CI they run all the same, and fail. */
export function findPython(env: NodeJS.ProcessEnv): FoundPython {
  const { status, error, stderr } = spawnSync('python3', ['-c', 'import yaml'], { env, encoding: 'utf8' })
  if (status === 0) return { isSkipped: false, problem: undefined }
  const why = error?.message ?? stderr.trim().split('\n').at(-1)
  const problem = `Logs cannot be read with Python (${why}). To get it: apt install python3-yaml, or pip install pyyaml`
  return { isSkipped: !env['CI'], problem }
}

const found = findPython(process.env)
if (found.problem !== undefined) console.warn(found.problem)

/** Tests that read with Python what we wrote. */
export const describeWithPython = describe.skipIf(found.isSkipped)
export const itWithPython = it.skipIf(found.isSkipped)
