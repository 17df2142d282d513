import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { describe } from 'vitest'

/** The installed Chromium, and whether tests that need it are skipped. */
export interface FoundChromium {
  readonly path: string | undefined
  readonly isSkipped: boolean
  /** That it is missing and how to install it; undefined if it is installed. */
  readonly problem: string | undefined
}

/** The first has no window system to draw for, and takes half of the CPU time of the others. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Tests that need a missing Chromium are skipped; in CI they run and fail. */
export function findChromium(env: NodeJS.ProcessEnv): FoundChromium {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  const path = NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(isProgram)
  if (path !== undefined) return { path, isSkipped: false, problem: undefined }
  const problem =
    'The page of the HTML report cannot be tested: Chromium not found. To get it: apt install chromium-headless-shell'
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

/** A `describe` for tests that open a page. */
export const describeWithChromium = describe.skipIf(found.isSkipped)

/** Starts Chromium with options for containers, which have no sandbox and little shared memory. */
export function launchChromium(): Promise<Browser> {
  if (found.path === undefined) throw new Error(found.problem)
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  return chromium.launch({ executablePath: found.path, args })
}
