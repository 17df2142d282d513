import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPython, PLAIN } from '../support/external/python.ts'
import { folderWith } from '../support/program.ts'

const NO_MODULE = `#!/bin/sh\necho "Traceback" >&2\necho "ModuleNotFoundError: No module named 'yaml'" >&2\nexit 1\n`
const HOW = 'apt install python3-yaml, or pip install pyyaml'

/** A folder of programs with this `python3`. */
function programs(python: string): string {
  const folder = folderWith({ python3: python })
  chmodSync(join(folder, 'python3'), 0o755)
  return folder
}

describe('tests that need PyYAML', () => {
  const missing: [what: string, path: string, why: string][] = [
    ['Python', folderWith(), 'spawnSync python3 ENOENT'],
    ['its module', programs(NO_MODULE), "ModuleNotFoundError: No module named 'yaml'"],
  ]

  it.each(missing)('are skipped if %s is missing, with a message how to install it', (_, PATH, why) => {
    const problem = `Logs cannot be read with Python (${why}). To get it: ${HOW}`
    expect(findPython({ PATH })).toEqual({ isSkipped: true, problem })
  })

  it.each(missing)('fail in CI if %s is missing', (_, PATH, why) => {
    const problem = `Logs cannot be read with Python (${why}). To get it: ${HOW}`
    expect(findPython({ PATH, CI: 'true' })).toEqual({ isSkipped: false, problem })
  })

  it.each([{}, { CI: 'true' }])('run if it is installed: %j', env => {
    expect(findPython({ PATH: programs('#!/bin/sh\n'), ...env })).toEqual({ isSkipped: false, problem: undefined })
  })
})

it('tests that need plain Python are skipped, or fail in CI, only if it is missing', () => {
  expect(findPython({ PATH: folderWith() }, PLAIN)).toEqual({
    isSkipped: true,
    problem: 'Reports cannot be read with Python (spawnSync python3 ENOENT). To get it: apt install python3',
  })
  expect(findPython({ PATH: folderWith(), CI: 'true' }, PLAIN).isSkipped).toBe(false)
  expect(findPython({ PATH: programs('#!/bin/sh\n') }, PLAIN)).toEqual({ isSkipped: false, problem: undefined })
})
