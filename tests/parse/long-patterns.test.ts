import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'

it('a pattern of 70,000 characters matches nothing, and that is said', async () => {
  const folder = folderWith({ 'EVAL.yaml': `name: long\ntests: "*${'x'.repeat(70_000)}"\n`, 'x.yaml': '- id: a\n' })
  const { diagnostics } = await loadFiles([join(folder, 'EVAL.yaml')], { host: nodeHost(folder), evaluators })
  expect(diagnostics).toMatchObject([{ code: 'file-missing', line: 2, column: 8 }])
  expect(diagnostics[0]?.message).toMatch(/^nothing matches `\*xxx/)
})
