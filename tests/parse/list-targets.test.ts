import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { listTargets } from '../../src/parse/list-targets.ts'
import { providers } from '../../src/providers/index.ts'
import { targetTypes } from '../../src/spec/targets.ts'
import { folderWith } from '../support/program.ts'

async function listed(targets: unknown, files: Record<string, string> = {}, name?: string) {
  const cwd = folderWith({ 'targets.yaml': JSON.stringify({ targets }), ...files })
  const host = { ...nodeHost(cwd), env: {} }
  return listTargets(join(cwd, 'targets.yaml'), { host, types: targetTypes(providers), name })
}

describe('the list of targets', () => {
  it.each<[methods: string, about: string, lacks: string | undefined]>([
    ['', '', undefined],
    ["about: () => 'mine', lacks: async () => 'a lamp'", 'mine', 'a lamp'],
    ['about: () => 42, lacks: () => undefined', '', undefined],
    ["about: () => { throw new Error('a') }, lacks: async () => { throw new Error('b') }", '', '`./own.mjs` threw: b'],
    ["lacks: () => { throw 'c' }", '', '`./own.mjs` threw: c'],
  ])("has what a provider of one's own says: {%s}", async (methods, about, lacks) => {
    const own = `export default { config: { safeParse: data => ({ success: true, data }) }, answer() {}, ${methods} }\n`
    const { targets } = await listed([{ name: 'own', provider: './own.mjs' }], { 'own.mjs': own })
    expect(targets).toMatchObject([{ name: 'own', provider: './own.mjs', about, diagnostics: [] }])
    expect(targets[0]?.lacks).toBe(lacks)
  })

  it('looks only at the one that is asked for', async () => {
    const both = [
      { name: 'a', provider: 'mock', response: '${{ NOT_SET }}' },
      { name: 'b', provider: 'mock', response: 'x' },
    ]
    const { targets, names, diagnostics } = await listed(both, {}, 'b')
    expect(targets.map(({ name, diagnostics }) => [name, diagnostics])).toEqual([['b', []]])
    expect([names, diagnostics]).toEqual([['a', 'b'], []])
  })

  it('has variables from .env files, and knows which of them are secret', async () => {
    const target = { name: 'a', provider: 'openai', model: '${{ MODEL }}' }
    const { targets, secrets } = await listed([target], { '.env': 'OPENAI_API_KEY=sk-FromAFile1\nMODEL=gpt-5\n' })
    expect(targets).toMatchObject([{ about: 'gpt-5', diagnostics: [] }])
    expect([...secrets]).toEqual([['sk-FromAFile1', 'OPENAI_API_KEY']])
  })

  it('says of a target with a mistake what can be read of it', async () => {
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
