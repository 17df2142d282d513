import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../../src/providers/cli.ts'
import { folderWith } from '../../support/program.ts'
import { askContext, PROMPT } from '../../support/servers/ask-model.ts'

describe('a cli target as a judge', () => {
  const folder = folderWith({ 'home/sub/a.txt': '', 'suite/b.txt': '', 'workspace/built.txt': 'It works.' })
  const prompt = {
    ...PROMPT,
    folder: join(folder, 'suite'),
    look: { folder: join(folder, 'workspace'), max_steps: 10 },
  }
  const runsIn = async (fields: object) => {
    const answer = await cli.answer?.(
      { command: 'pwd; ls', ...fields },
      prompt,
      askContext({ home: join(folder, 'home') }),
    )
    return answer?.text.split('\n')
  }

  it('runs in the folder of the files to judge', async () => {
    expect(await runsIn({})).toEqual([join(folder, 'workspace'), 'built.txt'])
  })

  it('ignores the `cwd` of its target', async () => {
    expect(await runsIn({ cwd: 'sub' })).toEqual([join(folder, 'workspace'), 'built.txt'])
  })
})
