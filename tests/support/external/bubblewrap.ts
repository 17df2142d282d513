import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

/** Whether tests that need bubblewrap are skipped. */
export interface FoundBubblewrap {
  readonly isSkipped: boolean
  /** What is missing and how to install it; undefined if sandboxes work. */
  readonly problem: string | undefined
}

/** Tests that need sandboxes are skipped where they cannot be created; in CI they run and fail. */
export function findBubblewrap(env: NodeJS.ProcessEnv): FoundBubblewrap {
  const { status, error, stderr } = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], {
    env,
    encoding: 'utf8',
  })
  if (status === 0) return { isSkipped: false, problem: undefined }
  const why = error ? 'bubblewrap not found' : stderr.trim()
  const problem = `Sandboxes cannot be tested: ${why}. To get it: apt install bubblewrap, with user namespaces allowed`
  return { isSkipped: !env['CI'], problem }
}

const found = findBubblewrap(process.env)
if (found.problem !== undefined) console.warn(found.problem)

/** Tests of sandboxes. */
export const describeWithBubblewrap = describe.skipIf(found.isSkipped)
