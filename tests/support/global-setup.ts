import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** All folders that tests make lie in one, which is removed at the end. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-tests-')))
  // One test looks at its folder as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // From version 22 on, Node keeps what it has compiled: most of the time of a test goes into starting the program.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'node-compile-cache')
  return () => rmSync(folder, { recursive: true, force: true })
}
