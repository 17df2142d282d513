import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a parent folder for all temporary folders of the tests, and removes it at the end. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-tests-')))
  // One test reads its folder as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // Node 22 and later cache compiled code, which speeds up the start of the program.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'node-compile-cache')
  return () => rmSync(folder, { recursive: true, force: true })
}
