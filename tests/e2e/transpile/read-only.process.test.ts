import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CSV_SUITE } from '../../support/csv-suite.ts'
import { assayUnprivileged, folderWith } from '../../support/program.ts'

describe('transpile to a read-only folder', () => {
  const SUITE_FILES = { 'EVAL.yaml': CSV_SUITE, 'evals/files/sales.csv': '' }
  it('is an error, and no file is written', async () => {
    const cwd = folderWith(SUITE_FILES)
    mkdirSync(join(cwd, 'out'))
    chmodSync(join(cwd, 'out'), 0o555)
    chmodSync(cwd, 0o755)
    const { code, stderr } = await assayUnprivileged(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd })
    expect({ code, said: /Cannot write out\/evals\.json: EACCES/.test(stderr) }, stderr).toEqual({
      code: 2,
      said: true,
    })
    expect(readdirSync(join(cwd, 'out'))).toEqual([])
  })
})
