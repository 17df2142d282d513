import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LOGS, logText } from '../../support/logs/written-logs.ts'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

it('lists logs with the alias `agentv`', async () => {
  const folder = folderWith({ [`${LOGS}/miss.yaml`]: logText([{ input: 'Miss', output: 'Hi' }]) })
  symlinkSync(PROGRAM, join(folder, 'agentv'))
  const listed = await run(process.execPath, [join(folder, 'agentv'), 'log', 'list'], { cwd: folder })
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^miss /m) })
})
