import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { evaluate, suiteWith } from '../../support/evaluation.ts'
import { describeWithBubblewrap } from '../../support/external/bubblewrap.ts'
import { folderWith } from '../../support/program.ts'
import { projectFolder, removeProjects } from '../../support/sandboxes.ts'

const AGENT = readFileSync(join(import.meta.dirname, '../../support/mcp-client.mjs'), 'utf8')

describeWithBubblewrap('an agent in a sandbox', () => {
  afterAll(removeProjects)

  it('calls mocked tools, without network and without its tests', async () => {
    const mocks = {
      orders: { state: { status: 'shipped' }, tools: { cancel: { set: { status: 'cancelled' }, returns: 'ok' } } },
    }
    const tests = [{ id: 'cancels', input: JSON.stringify([['cancel', {}]]) }]
    const target = { name: 'default', provider: 'cli', command: ['node', 'agent.mjs'], workspace: 'app', sandbox: true }
    const folder = folderWith(
      {
        'EVAL.yaml': suiteWith(tests, { mocks }),
        '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
        'app/agent.mjs': AGENT,
      },
      projectFolder(),
    )
    const { results, stderr } = await evaluate(folder)
    expect(results.get('cancels'), stderr).toMatchObject({
      verdict: 'pass',
      mock_calls: [{ server: 'orders', tool: 'cancel', output: 'ok' }],
      state: { orders: { status: 'cancelled' } },
      changes: [],
    })
  })
})
