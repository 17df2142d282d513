import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { describe } from 'vitest'

/** Whether there is a Chromium, and what becomes of the tests that need it. */
export interface FoundChromium {
  readonly path: string | undefined
  readonly isSkipped: boolean
  /** That it is missing and how to install it; undefined if it is installed. */
  readonly problem: string | undefined
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Where it is missing, tests that need it are skipped; in CI they run all the same, and fail. */
export function findChromium(env: NodeJS.ProcessEnv): FoundChromium {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  const path = folders.flatMap(folder => NAMES.map(name => join(folder, name))).find(isProgram)
  if (path !== undefined) return { path, isSkipped: false, problem: undefined }
  const problem =
    'The page of the HTML report cannot be looked at: there is no Chromium. To get it: apt install chromium'
  return { path, isSkipped: !env['CI'], problem }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const found = findChromium(process.env)
if (found.problem !== undefined) console.warn(found.problem)

/** Tests that look at a page. */
export const describeWithChromium = describe.skipIf(found.isSkipped)

/** In a container there is no sandbox to be had, and little shared memory. */
export function launchChromium(): Promise<Browser> {
  if (found.path === undefined) throw new Error(found.problem)
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  return chromium.launch({ executablePath: found.path, args })
}
