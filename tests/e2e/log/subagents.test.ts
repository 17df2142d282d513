import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { LOGS, logIn, runIn, testsIn } from '../../support/logs/written-logs.ts'
import { folderWith } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'

/** An agent that delegates, and keeps the prompts that it gets. The last message is that of a subagent. */
const AGENT = providerModule(`
  appendFileSync('prompts.jsonl', JSON.stringify(prompt.messages) + '\\n')
  const agent_id = 'a/1)'
  return {
    text: 'Done.',
    output_messages: [
      { role: 'assistant', tool_calls: [{ tool: 'Agent', input: { prompt: 'Look' }, output: 'Seen.' }] },
      { role: 'user', content: 'Look', agent_id },
      { role: 'assistant', tool_calls: [{ tool: 'Read', input: { path: 'a' }, output: 'text' }], agent_id },
      { role: 'assistant', content: 'Done.', agent_id },
    ],
  }`)
const TARGETS = [
  { name: 'default', provider: './agent.mjs' },
  { name: 'again', provider: 'replay', from: LOGS },
]
const EXACT = { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'Agent' }, { tool: 'Read' }] }

let folder: string
beforeAll(async () => {
  folder = folderWith({
    'agent.mjs': AGENT.replace("'prompts.jsonl'", "new URL('prompts.jsonl', import.meta.url)"),
    '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
    'again/EVAL.yaml': JSON.stringify({
      name: 'again',
      execution: { target: 'again' },
      tests: [{ id: 'same', criteria: 'Same', input: 'Hi', assert: [EXACT] }],
    }),
  })
  expect(await assay(['log', 'run', 'Hi'], { cwd: folder })).toMatchObject({ code: 0, stdout: expect.any(String) })
  expect(await assay(['log', 'run', 'One', '--turn', 'Two'], { cwd: folder })).toMatchObject({ code: 0 })
})

describe('messages of subagents in a log', () => {
  it('are marked and indented in the file of the run', () => {
    const agent_id = 'a/1)'
    expect(runIn(folder, 'hi').messages).toMatchObject([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', content: 'Seen.', tool_call_id: 'call_1' },
      { agent_id, role: 'user', content: 'Look' },
      { agent_id, role: 'assistant', tool_calls: [{ id: 'call_2' }] },
      { agent_id, role: 'tool', content: 'text', tool_call_id: 'call_2' },
      { agent_id, role: 'assistant', content: 'Done.' },
      { role: 'assistant', content: 'Done.' },
    ])
    expect(runIn(folder, 'hi').messages.filter(message => 'agent_id' in message)).toHaveLength(4)
    const text = readFileSync(join(folder, LOGS, 'hi/run_1.yaml'), 'utf8')
    expect(text.match(/^ *\{/gm)?.map(({ length }) => length - 1)).toEqual([4, 4, 4, 8, 8, 8, 8, 4])
  })

  it('are marked in the list of tools, and are not the output', async () => {
    const tools_called = ["Agent(prompt='Look')", "Read(path='a')  # subagent a_1_"]
    expect(logIn(folder, 'hi').turns).toMatchObject([{ input: 'Hi', output: 'Done.', tools_called }])
    const shown = await assay(['log', 'show', 'hi'], { cwd: folder })
    expect(shown.stdout).toContain("Read(path='a')  # subagent a_1_\n")
  })

  it('are not part of the next prompt', () => {
    const prompts = readFileSync(join(folder, 'prompts.jsonl'), 'utf8').trim().split('\n')
    const roles = JSON.parse(prompts.at(-1) ?? '').map(({ role }: { role: string }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(prompts.at(-1)).not.toMatch(/Read|"Look"/)
  })

  it('are neither in the input nor in the checks of a suite from logs', async () => {
    const { stdout } = await assay(['log', 'to-eval'], { cwd: folder })
    const tests = testsIn(stdout)
    expect(tests.map(({ id }) => id)).toEqual(['hi', 'one-1', 'one-2'])
    expect(stdout).not.toMatch(/Read|agent_id|content: Look/)
    expect(stdout).toContain('Agent')
  })

  it.each(['with', 'without'])('are replayed as such, %s the file of the run', async kind => {
    const cwd = folderWith({
      '.assay/targets.yaml': readFileSync(join(folder, '.assay/targets.yaml')),
      'agent.mjs': '',
      'EVAL.yaml': readFileSync(join(folder, 'again/EVAL.yaml')),
      [`${LOGS}/hi.yaml`]: readFileSync(join(folder, LOGS, 'hi.yaml')),
      ...(kind === 'with' ? { [`${LOGS}/hi/run_1.yaml`]: readFileSync(join(folder, LOGS, 'hi/run_1.yaml')) } : {}),
    })
    const { results } = await evaluate(cwd)
    const { verdict, answer, output_messages = [] } = results.get('same') ?? {}
    expect({ verdict, answer }).toEqual({ verdict: 'pass', answer: 'Done.' })
    const calls = output_messages.flatMap(({ tool_calls = [], agent_id }) =>
      tool_calls.map(({ tool, input }) => [tool, input, agent_id]),
    )
    expect(calls).toEqual([
      ['Agent', { prompt: 'Look' }, undefined],
      ['Read', { path: 'a' }, kind === 'with' ? 'a/1)' : 'a_1_'],
    ])
  })
})
