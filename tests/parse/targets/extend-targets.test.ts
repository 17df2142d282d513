import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { listTargets } from '../../../src/parse/targets/list-targets.ts'
import { providers } from '../../../src/providers/index.ts'
import { targetTypes } from '../../../src/spec/targets.ts'
import { folderWith } from '../../support/program.ts'

async function listed(yaml: string, env: Record<string, string> = {}) {
  const cwd = folderWith({ 'targets.yaml': yaml })
  const host = { ...nodeHost(cwd), env }
  return listTargets(join(cwd, 'targets.yaml'), { host, types: targetTypes(providers) })
}

const BASE = `targets:
  - name: base
    provider: mock
    response: hello
    system_prompt: be brief
    price: {input: 1, output: 2}
`

describe('a target that extends another one', () => {
  it('has the keys of the other one, except for those that it writes or removes', async () => {
    const { targets } = await listed(
      `${BASE}  - {name: child, extends: base, price: {input: 3}, system_prompt: null}
  - {name: grandchild, extends: child, response: bye}
`,
    )
    expect(targets.map(({ target }) => target?.written)).toEqual([
      { name: 'base', provider: 'mock', response: 'hello', system_prompt: 'be brief', price: { input: 1, output: 2 } },
      { name: 'child', provider: 'mock', response: 'hello', price: { input: 3 } },
      { name: 'grandchild', provider: 'mock', response: 'bye', price: { input: 3 } },
    ])
    expect(targets.map(each => each.extends)).toEqual([undefined, 'base', 'child'])
  })

  it('may be written above the other one', async () => {
    const { targets } = await listed(BASE.replace('targets:\n', 'targets:\n  - {name: child, extends: base}\n'))
    expect(targets.map(({ target }) => target?.name)).toEqual(['child', 'base'])
  })

  it('reports an inherited value where it is written', async () => {
    const { targets } = await listed(
      `${BASE}    retries: 99\n  - {name: child, extends: base}\n  - {name: grandchild, extends: child}\n`,
    )
    expect(targets.map(({ diagnostics }) => diagnostics.map(({ code, line }) => [code, line]))).toEqual([
      [['out-of-range', 7]],
      [['out-of-range', 7]],
      [['out-of-range', 7]],
    ])
  })

  it('has the problem of each target above it', async () => {
    const { targets } = await listed(
      `${BASE}  - {name: lost, extends: nowhere, provider: mock, response: x}\n  - {name: child, extends: lost}\n`,
    )
    expect(targets.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      [],
      ['unknown-target'],
      ['unknown-target'],
    ])
    expect(targets.map(({ target }) => target !== undefined)).toEqual([true, false, false])
  })

  it('fills in inherited variables and redacts their values', async () => {
    const yaml = `targets:
  - {name: base, provider: openai, model: m, api_key: "\${{ MY_KEY }}"}
  - {name: child, extends: base, model: n}
`
    const { targets, secrets } = await listed(yaml, { MY_KEY: 'sk-of-the-test-1' })
    expect(targets.map(({ target }) => target?.config)).toEqual([
      { model: 'm', api_key: 'sk-of-the-test-1' },
      { model: 'n', api_key: 'sk-of-the-test-1' },
    ])
    expect(targets[1]?.target?.written['api_key']).toBe('${{ MY_KEY }}')
    expect(secrets.get('sk-of-the-test-1')).toBe('MY_KEY')
  })

  it('is resolved at any depth', async () => {
    const links = Array.from({ length: 5000 }, (_, index) => `  - {name: t${index}, extends: t${index + 1}}\n`)
    const { targets } = await listed(`targets:\n${links.join('')}  - {name: t5000, provider: mock, response: x}\n`)
    expect(targets[0]?.target?.written).toEqual({ name: 't0', provider: 'mock', response: 'x' })
  }, 60_000)
})
