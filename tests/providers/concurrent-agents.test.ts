import { describe, expect, it } from 'vitest'
import type { Prompt } from '../../src/model/prompt.ts'
import { claudeCli } from '../../src/providers/claude-cli.ts'
import { REPLAY_AGENT, streamPath } from '../support/agents.ts'
import { folderWith } from '../support/program.ts'
import { askContext, PROMPT } from '../support/servers/ask-model.ts'

/** Returns the warnings while two agents run at the same time. */
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

describe('concurrent agents', () => {
  it('cause a warning in the same folder', async () => {
    const folder = folderWith()
    expect(await warningsOf({ folder }, { folder })).toEqual([
      `several attempts run in ${folder} at the same time: set \`workspace\` or \`workers: 1\` in the target`,
    ])
  })

  it('cause no warning in separate folders', async () => {
    expect(await warningsOf({ folder: folderWith() }, { folder: folderWith() })).toEqual([])
    const folder = folderWith()
    expect(await warningsOf({ folder, workspace: folderWith() }, { folder, workspace: folderWith() })).toEqual([])
  })

  it('cause no warning if they only read', async () => {
    const look = { folder: folderWith(), max_steps: 1 }
    expect(await warningsOf({ look }, { look })).toEqual([])
  })
})
