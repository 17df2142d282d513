import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { planRun } from '../../src/operations/evaluate.ts'
import { providers } from '../../src/providers/index.ts'
import { modelFamily } from '../../src/providers/shared/models/model-target.ts'
import { evalFolder } from '../support/evaluation.ts'

describe('the family of a model by its name', () => {
  it.each<[family: string | undefined, names: string[]]>([
    ['gpt', ['gpt-5-mini', 'gpt4', 'GPT-4o', 'chatgpt-4o-latest', 'o1', 'o3-mini', 'o4-mini', 'codex-mini-latest']],
    ['gpt', ['openai/gpt-oss-120b', 'ft:gpt-4.1:my-org:custom:id', 'gpt_35_turbo']],
    ['claude', ['claude-sonnet-4-5', 'us.anthropic.claude-3-haiku-v1:0', 'anthropic/Claude-3.5-sonnet']],
    ['gemini', ['gemini-2.5-flash', 'models/gemini-pro', 'publishers/google/models/gemini-2.0']],
    ['gemma', ['gemma3:27b', 'google/gemma-2-9b-it']],
    ['llama', ['llama3', 'meta-llama/Llama-3.1-8B', 'meta.llama3-70b-instruct-v1:0', 'codellama:13b']],
    ['mistral', ['mistral-large-latest', 'mistralai/Mixtral-8x7B', 'codestral', 'ministral-8b', 'open-mixtral-8x22b']],
    ['qwen', ['qwen2.5:7b', 'Qwen/QwQ-32B']],
    ['deepseek', ['deepseek-chat', 'deepseek-ai/DeepSeek-R1-Distill-Llama-70B']],
    ['grok', ['grok-4', 'x-ai/grok-3']],
    ['command', ['command-r-plus', 'command', 'cohere.command-a']],
    [undefined, ['', 'my-own', 'my-deployment', 'stand-in', 'gptx', 'o1x', 'foo1', 'ogpt-4', 'commander', 'llamas']],
  ])('%s: %j', (family, names) => {
    for (const name of names) expect([name, modelFamily(name)]).toEqual([name, family])
  })
})

describe('the family of a target', () => {
  const familyOf = (type: string, config: object) => providers.find(each => each.type === type)?.model?.family(config)

  it.each(['openai', 'anthropic', 'google', 'openai_compatible'])('%s: the family of its model', type => {
    expect(familyOf(type, { model: 'gpt-5' })).toBe('gpt')
    expect(familyOf(type, { model: 'my-own' })).toBeUndefined()
  })

  it('azure: the family of its model or its deployment', () => {
    expect(familyOf('azure', { deployment: 'gpt-4o' })).toBe('gpt')
    expect(familyOf('azure', { deployment: 'team-a', model: 'DeepSeek-V3' })).toBe('deepseek')
    expect(familyOf('azure', { deployment: 'team-a' })).toBeUndefined()
  })

  it('agents: the family of their vendor if no model is set', () => {
    expect(familyOf('claude_cli', { command: 'claude', model: 'sonnet' })).toBe('claude')
    expect(familyOf('codex_cli', { command: 'codex' })).toBe('gpt')
    expect(familyOf('codex_cli', { command: 'codex', model: 'my-own' })).toBe('gpt')
    expect(familyOf('codex_cli', { command: 'codex', model: 'qwen3-coder' })).toBe('qwen')
  })

  it('other providers have no family', () => {
    const without = providers.filter(({ model }) => model === undefined).map(({ type }) => type)
    expect(without).toEqual(['mock', 'cli', 'http', 'replay'])
  })
})

describe('the family of a custom provider', () => {
  const module = (family: string) =>
    `export default { config: { safeParse: data => ({ success: true, data }) }, answer() {}, model: { family: ${family} } }\n`

  /** The warnings of a suite whose target and judge use this custom provider. */
  async function warnings(family: string): Promise<string[]> {
    const targets = ['default', 'judge'].map(name => ({ name, provider: './own.mjs' }))
    const cwd = evalFolder([{ id: 'a', input: 'Hi', assert: [] }], targets, { 'own.mjs': module(family) })
    const world = { host: nodeHost(cwd), evaluators, providers }
    const { plan, diagnostics } = await planRun({ paths: ['.'] }, world)
    expect(plan).toBeDefined()
    return diagnostics.map(({ message }) => message)
  }

  it('is used like any other', async () => {
    expect(await warnings("() => 'mine'")).toEqual([
      '`judge` judges the answers of `default`, and both belong to the model family `mine`',
    ])
  })

  it.each(['() => { throw new Error() }', '() => 42', 'undefined'])('%s gives no family', async family => {
    expect(await warnings(family)).toEqual([])
  })
})
