import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { NoAnswer } from '../../../src/model/answer.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import { type Ask, NotRun } from '../../../src/run/ask.ts'
import { retry } from '../../../src/run/policies/retry.ts'
import { useTemporaryWorkspace, useWorkspace } from '../../../src/run/policies/workspace.ts'
import { WorkspaceCommands } from '../../../src/run/workspace-commands.ts'
import { Workspaces } from '../../../src/run/workspaces.ts'
import { folderWith } from '../../support/program.ts'

const host = nodeHost()

/** Commands that note their folder in a file. */
function noting() {
  const folder = folderWith({ 'app/a': 'a' })
  const out = join(folder, 'out')
  const note = (word: string) => `echo ${word} "$PWD" >> '${out}'`
  const commands = new WorkspaceCommands({ setup: [note('setup')], teardown: [note('teardown')] }, host, () => {})
  return { app: join(folder, 'app'), commands, said: () => readFileSync(out, 'utf8').trim().split('\n') }
}

const prompt = { messages: [], folder: '/' } as unknown as Prompt

describe('commands in workspaces', () => {
  it('run in the copy of each retry, whose teardown comes before it is removed', async () => {
    const { app, commands, said } = noting()
    const paths: string[] = []
    const failing: Ask = async ({ workspace = '' }) => {
      paths.push(workspace)
      if (paths.length === 1) throw new NoAnswer('network', 'again', { retryable: true })
      return { text: 'ok' }
    }
    const policy = useWorkspace(app, new Workspaces(host), host, commands)
    const answer = await retry(1, { ...host, random: () => 0 }, () => {})(policy(failing))(
      prompt,
      new AbortController(),
    )
    const [first = '', second = ''] = paths
    expect(existsSync(first)).toBe(false)
    expect(answer).toMatchObject({ workspace_path: second, changes: [] })
    expect(said()).toEqual([`setup ${first}`, `teardown ${first}`, `setup ${second}`])
    await commands.teardown()
    await commands.teardown()
    expect(said().slice(3)).toEqual([`teardown ${second}`])
    await host.files.remove(second)
  })

  it('end with teardown and removal if the attempt is given up', async () => {
    const { app, commands, said } = noting()
    let path = ''
    const stopped: Ask = async ({ workspace = '' }) => {
      path = workspace
      throw new NotRun('stopped')
    }
    const ask = useWorkspace(app, new Workspaces(host), host, commands)(stopped)
    await expect(ask(prompt, new AbortController())).rejects.toBeInstanceOf(NotRun)
    expect(said()).toEqual([`setup ${path}`, `teardown ${path}`])
    expect(existsSync(path)).toBe(false)
  })

  it('are interrupted in setup, and still end with teardown', async () => {
    const { app, said } = noting()
    const run = new AbortController()
    const started = join(app, '../started')
    const setup = `echo begun > begun; touch '${started}'; sleep 300`
    const steps = { setup: [setup], teardown: [`cat begun >> '${join(app, '../out')}'`] }
    const commands = new WorkspaceCommands(steps, host, () => {})
    const ask = useWorkspace(app, new Workspaces(host), host, commands)(async () => ({ text: 'ok' }))
    const asked = ask(prompt, run)
    await expect.poll(() => existsSync(started)).toBe(true)
    run.abort(new NotRun('stopped'))
    await expect(asked).rejects.toBeInstanceOf(NotRun)
    expect(said()).toEqual(['begun'])
  })

  it('run in the temporary workspace of a judge, whose answer has no changes', async () => {
    const { app, commands, said } = noting()
    const ask = useTemporaryWorkspace(app, new Workspaces(host), host, commands)(async () => ({ text: 'ok' }))
    expect(await ask(prompt, new AbortController())).toEqual({ text: 'ok' })
    expect(said().map(line => line.split(' ')[0])).toEqual(['setup', 'teardown'])
  })
})
