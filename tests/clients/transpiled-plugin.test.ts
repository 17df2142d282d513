import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith, run } from '../support/program.ts'
import { anthropicModel, type ModelServer } from './agent-servers.ts'
import { client } from './install.ts'

/** Everything that a case can have: other names, earlier turns, a script, blanks, mocks, and each type of grader. */
const SUITE = {
  name: 'transpiled',
  execution: {
    threshold: 1,
    timeout_seconds: 60,
    agent: { max_turns: 3, allowed_tools: ['Skill'], env: { EVAL_A: 'yes' } },
  },
  mocks: { orders: { tools: { get: { input: { id: 'string' }, returns: 'Order {{input.id}}' } } } },
  tests: [
    {
      id: 'Größe/eins: 大',
      criteria: 'Says ok',
      description: 'yes',
      metadata: { tags: ['smoke', '1e3'] },
      input: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: 'First' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Last' },
      ],
      assert: [
        { type: 'contains', value: 'ok' },
        { type: 'regex', value: ' zzz', count: 0 },
        { type: 'tool_used', tool: 'Bash', max: 0 },
        { type: 'trigger_judge', skill: 'csv', should_trigger: false },
        { type: 'file', path: 'a/*.md', state: 'created', negate: true },
      ],
    },
    {
      id: 'script',
      criteria: 'Says ok',
      input: '  Blanks around ',
      execution: { setup: 'touch made' },
      assert: [{ type: 'rubrics', criteria: 'Is kind' }],
    },
  ],
}

let model: ModelServer
beforeAll(async () => {
  model = await anthropicModel(({ messages }) => [{ text: /grading/.test(JSON.stringify(messages)) ? 'PASS' : 'ok' }])
})
afterAll(() => model.close())

it('the real Claude Code loads and passes the plugin evals that a suite becomes', async () => {
  const cwd = folderWith({
    'plugin/.claude-plugin/plugin.json': '{"name": "transpiled", "version": "0.1.0", "description": "A plugin"}',
    'plugin/skills/csv/SKILL.md': '---\nname: csv\ndescription: Reads CSV files\n---\nRead it.\n',
    'plugin/EVAL.yaml': JSON.stringify(SUITE),
  })
  const written = await assay(['transpile', 'plugin/EVAL.yaml', '--to', 'plugin-evals'], { cwd })
  expect(written.code, written.stderr).toBe(0)
  const env = { HOME: folderWith(), ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'key' }
  const args = ['plugin', 'eval', '.', '--ablation', 'none', '--scaffold', '--no-publish', '--trust-plugin']
  const { code, stdout, stderr } = await run(client('claude'), args, { cwd: join(cwd, 'plugin'), env })
  const said = `${stdout}${stderr}`
  expect(said).not.toContain('failed to load')
  expect(said).toContain('2 case(s)')
  expect(code, said).toBe(0)
  const prompts = JSON.stringify(model.requests)
  for (const text of ['Be short', 'First', 'Last', '  Blanks around ']) expect(prompts).toContain(text)
})
