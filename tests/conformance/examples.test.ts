import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { findCheckable } from '../../src/parse/find-files.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { providers } from '../../src/providers/index.ts'
import { targetTypes } from '../../src/spec/targets.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')

const has = (name: string, file: string) => existsSync(join(EXAMPLES, name, file))
const folders = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && (has(entry.name, 'EVAL.yaml') || has(entry.name, 'evals')))
  .map(({ name }) => name)

describe('examples', () => {
  it.each(folders)('%s has no diagnostics, not even warnings', async name => {
    const loaded = await load(join(EXAMPLES, name))
    expect(loaded.diagnostics).toEqual([])
    expect(loaded.suites).toHaveLength(1)
  })

  it.each(folders)('%s explains what it shows', name => {
    expect(readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8')).toContain(`npx assay validate examples/${name}`)
  })

  // The evals of a plugin are Markdown.
  it.each(folders.filter(name => has(name, 'EVAL.yaml')))('%s names an existing schema for editors', name => {
    const [line = ''] = readFileSync(join(EXAMPLES, name, 'EVAL.yaml'), 'utf8').split('\n')
    const schema = line.match(/^# yaml-language-server: \$schema=(.+)$/)?.[1] ?? 'none'
    expect(existsSync(join(EXAMPLES, name, schema))).toBe(true)
  })

  it('have no diagnostics when loaded together', async () => {
    const loaded = await load(EXAMPLES)
    expect(loaded.diagnostics).toEqual([])
    expect(loaded.suites).toHaveLength(folders.length)
  })
})

async function load(folder: string) {
  const host = nodeHost(folder)
  const { files } = await findCheckable(['.'], host)
  return loadFiles(files, { host, evaluators, targetTypes: targetTypes(providers) })
}
