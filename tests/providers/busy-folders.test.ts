import { describe, expect, it } from 'vitest'
import type { Prompt } from '../../src/model/prompt.ts'
import { claudeCli } from '../../src/providers/claude-cli.ts'
import { REPLAY_AGENT, streamPath } from '../support/agents.ts'
import { askContext, PROMPT } from '../support/model-asks.ts'
import { folderWith } from '../support/program.ts'

/** What is said while two agents work at the same time. */
async function warningsOf(...prompts: readonly Partial<Prompt>[]): Promise<string[]> {
  const warnings: string[] = []
  const config = {
    command: REPLAY_AGENT,
    env: { REPLAY_STREAM: streamPath('claude-report'), REPLAY_PAUSE: '30' },
  }
  const context = askContext({ warn: message => warnings.push(message) })
  await Promise.all(prompts.map(prompt => claudeCli.answer(config, { ...PROMPT, ...prompt }, context)))
  return warnings
}

describe('agents at the same time', () => {
  it('in one folder are a reason for a warning', async () => {
    const folder = folderWith()
    expect(await warningsOf({ folder }, { folder })).toEqual([
      `several attempts run in ${folder} at the same time: set \`workspace\` or \`workers: 1\` in the target`,
    ])
  })

  it('in folders of their own are none', async () => {
    expect(await warningsOf({ folder: folderWith() }, { folder: folderWith() })).toEqual([])
    const folder = folderWith()
    expect(await warningsOf({ folder, workspace: folderWith() }, { folder, workspace: folderWith() })).toEqual([])
  })

  it('that only look around are none', async () => {
    const look = { folder: folderWith(), max_steps: 1 }
    expect(await warningsOf({ look }, { look })).toEqual([])
  })
})
