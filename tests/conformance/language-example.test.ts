import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const PAGE = join(import.meta.dirname, '../../docs/reference/language.md')

const TARGETS = `targets:
  - { name: with-skill, provider: mock, response: "# Report\\n\\nTotal: 7" }
  - { name: without-skill, provider: mock, response: "Total: 7" }
`

it('runs the example of checks for some targets as the reference describes it', async () => {
  const [, suite = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? []
  const cwd = folderWith({ 'EVAL.yaml': suite, '.assay/targets.yaml': TARGETS })
  expect(await assay(['validate', '--strict', '--targets'], { cwd })).toMatchObject({ code: 0 })
  const { code, stderr } = await assay(['eval'], { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain('1 test has checks that do not apply to without-skill\n1 test × 2 targets: 2 passed\n')
  const { stdout } = await assay(['explain', 'latest', 'sums-up'], { cwd })
  expect(stdout).toContain('└─ starts_with: n/a, does not apply to without-skill\n')
})
