import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'

it('stats each path once, however many suites are below it', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `evals/suite-${index}/EVAL.yaml`)
  const suite = 'name: small\ntests:\n  - {id: a, criteria: Is good, input: Hello}\n'
  const folder = folderWith(Object.fromEntries(names.map(name => [name, suite])))
  const own = nodeHost(folder)
  const statCalls = new Map<string, number>()
  const stat: typeof own.files.stat = path => {
    statCalls.set(path, (statCalls.get(path) ?? 0) + 1)
    return own.files.stat(path)
  }
  const host = { ...own, files: { ...own.files, stat } }
  const loaded = await loadFiles(
    names.map(name => join(folder, name)),
    { host, evaluators },
  )
  expect(loaded.suites).toHaveLength(20)
  expect(statCalls.get(join(folder, '.git'))).toBe(1)
  expect([...statCalls].filter(([, count]) => count > 1)).toEqual([])
})

it.each([40_000, 70_000])('reports that a pattern of %i characters matches no files', async length => {
  const folder = folderWith({ 'EVAL.yaml': `name: long\ntests: "*${'x'.repeat(length)}"\n`, 'x.yaml': '- id: a\n' })
  const { diagnostics } = await loadFiles([join(folder, 'EVAL.yaml')], { host: nodeHost(folder), evaluators })
  expect(diagnostics).toMatchObject([{ code: 'file-missing', line: 2, column: 8 }])
  expect(diagnostics[0]?.message).toMatch(/^no files match `\*xxx/)
})
