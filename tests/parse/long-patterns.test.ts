import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'

it.each([40_000, 70_000])('reports that a pattern of %i characters matches no files', async length => {
  const folder = folderWith({ 'EVAL.yaml': `name: long\ntests: "*${'x'.repeat(length)}"\n`, 'x.yaml': '- id: a\n' })
  const { diagnostics } = await loadFiles([join(folder, 'EVAL.yaml')], { host: nodeHost(folder), evaluators })
  expect(diagnostics).toMatchObject([{ code: 'file-missing', line: 2, column: 8 }])
  expect(diagnostics[0]?.message).toMatch(/^no files match `\*xxx/)
})
