import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { isTargetsFile } from '../../../src/parse/file-names.ts'
import { findCheckable } from '../../../src/parse/find-files.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { listTargets } from '../../../src/parse/targets/list-targets.ts'
import { providers } from '../../../src/providers/index.ts'
import { targetTypes } from '../../../src/spec/targets.ts'
import { casesIn } from '../../support/corpus.ts'
import { folderWith } from '../../support/program.ts'

async function listed(targets: unknown, files: Record<string, string> = {}, name?: string) {
  const cwd = folderWith({ 'targets.yaml': JSON.stringify({ targets }), ...files })
  const host = { ...nodeHost(cwd), env: {} }
  return listTargets(join(cwd, 'targets.yaml'), { host, types: targetTypes(providers), name })
}

describe('the diagnostics of listed targets', () => {
  it('are complete even if a variable is missing', async () => {
    const { targets } = await listed([
      { name: 'a', provider: 'openai', model: '${{ MODEL }}', tempreature: 1, api_key: '${{ KEY }}' },
      { name: 'b', provider: 'cli', command: '${{ PROGRAM }}', workers: 0, cwd: 7 },
      { name: 'c', provider: './own.mjs', key: '${{ KEY }}', retries: -1 },
    ])
    expect(targets.map(({ diagnostics }) => diagnostics.map(({ code }) => code).sort())).toEqual([
      ['missing-variable', 'missing-variable', 'unknown-key'],
      ['missing-variable', 'out-of-range', 'wrong-type'],
      ['missing-variable', 'out-of-range'],
    ])
  })

  it('belong to the target that repeats a name', async () => {
    const { targets, diagnostics } = await listed([
      { name: 'a', provider: 'mock', response: 'x' },
      { name: 'a', provider: 'mock', response: 'y' },
    ])
    expect(diagnostics).toEqual([])
    expect(targets.map(({ target }) => target !== undefined)).toEqual([true, false])
    expect(targets.map(each => each.diagnostics.map(({ code }) => code))).toEqual([[], ['duplicate-name']])
  })

  it('are reported once when a variable is filled in', async () => {
    const target = { name: 'a', provider: 'openai', model: 'm', api_key: 'sk-OfTheTest1', workers: '${{ WORKERS }}' }
    const { targets } = await listed([target], { '.env': 'WORKERS=4\n' })
    expect(targets.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([['wrong-type']])
  })

  it.each(casesIn('invalid').filter(({ name }) => name.startsWith('targets-')))(
    'are those of `assay validate`: $name',
    async ({ folder }) => {
      const host = { ...nodeHost(folder), env: {} }
      const types = targetTypes(providers)
      const { files } = await findCheckable(['.'], host)
      for (const file of files.filter(isTargetsFile)) {
        const validated = await loadFiles([file], { host, evaluators, targetTypes: types })
        const { targets, diagnostics } = await listTargets(file, { host, types })
        const all = [...diagnostics, ...targets.flatMap(target => target.diagnostics)]
        expect(all).toEqual(expect.arrayContaining([...validated.diagnostics]))
      }
    },
  )
})

describe('the list of targets', () => {
  it.each<[methods: string, about: string, lacks: string | undefined]>([
    ['', '', undefined],
    ["about: () => 'mine', validate: { machine: async () => 'a lamp' }", 'mine', 'a lamp'],
    ['about: () => 42, validate: { machine: () => undefined }', '', undefined],
    [
      "about: () => { throw new Error('a') }, validate: { machine: async () => { throw new Error('b') } }",
      '',
      '`./own.mjs` threw: b',
    ],
    ["validate: { machine: () => { throw 'c' } }", '', '`./own.mjs` threw: c'],
  ])('shows what a custom provider says about itself: {%s}', async (methods, about, lacks) => {
    const own = `export default { config: { safeParse: data => ({ success: true, data }) }, answer() {}, ${methods} }\n`
    const { targets } = await listed([{ name: 'own', provider: './own.mjs' }], { 'own.mjs': own })
    expect(targets).toMatchObject([{ name: 'own', provider: './own.mjs', about, diagnostics: [] }])
    expect(targets[0]?.lacks).toBe(lacks)
  })

  it('loads only the requested target', async () => {
    const both = [
      { name: 'a', provider: 'mock', response: '${{ NOT_SET }}' },
      { name: 'b', provider: 'mock', response: 'x' },
    ]
    const { targets, names, diagnostics } = await listed(both, {}, 'b')
    expect(targets.map(({ name, diagnostics }) => [name, diagnostics])).toEqual([['b', []]])
    expect([names, diagnostics]).toEqual([['a', 'b'], []])
  })

  it('fills in variables from .env files and collects their secrets', async () => {
    const target = { name: 'a', provider: 'openai', model: '${{ MODEL }}' }
    const { targets, secrets } = await listed([target], { '.env': 'OPENAI_API_KEY=sk-FromAFile1\nMODEL=gpt-5\n' })
    expect(targets).toMatchObject([{ about: 'gpt-5', diagnostics: [] }])
    expect([...secrets]).toEqual([['sk-FromAFile1', 'OPENAI_API_KEY']])
  })

  it('describes a target with errors as far as it can be read', async () => {
    const { targets } = await listed([
      { name: 'a', provider: 'openai_compatible', model: 'm', base_url: 'http://me:pw@${{ HOST }}/v1' },
      { name: 'b', provider: 'opnai', model: 'm' },
      { name: 'c', provider: 'openai' },
      { name: 'd', provider: './not-there.mjs' },
    ])
    expect(targets.map(({ about }) => about)).toEqual(['m at http://${{ HOST }}/v1', undefined, undefined, undefined])
    expect(targets.map(({ target }) => target)).toEqual(Array(4).fill(undefined))
    expect(targets.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      ['missing-variable'],
      ['unknown-provider'],
      ['missing-key'],
      ['bad-provider'],
    ])
  })
})
