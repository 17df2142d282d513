import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { NoAnswer } from '../../src/model/answer.ts'
import type { Host } from '../../src/model/host.ts'
import type { AskContext } from '../../src/model/provider.ts'
import { withAgentHome } from '../../src/providers/shared/agents/agent-home.ts'
import { folderWith } from '../support/program.ts'

const PLACES = { variable: 'CODEX_HOME', usual: '.codex', credentials: ['auth.json'] }
const node = nodeHost()

const denied = async () => {
  throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
}

/** Calls `look` in the isolated home of an agent, on a changed host. */
async function inHome<Result>(
  home: string,
  look: (folder: string) => Result,
  differences: Partial<Host> = {},
  skills?: string[],
): Promise<Result> {
  const context = { host: { ...node, ...differences }, home } as AskContext
  const fields = { config_dir: 'isolated', skills }
  return withAgentHome(fields, PLACES, context, async env => look(env['CODEX_HOME'] ?? ''))
}

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'an answer',
    error => (error instanceof NoAnswer ? 'no answer' : 'a bug'),
  )

describe('reports operating system errors as such', () => {
  const home = folderWith({ '.codex/auth.json': '{}', 'skills/one/SKILL.md': '' })
  const env = { HOME: home }

  it('keeps the answer if the folder cannot be removed', async () => {
    // As if a program that the agent started still writes there.
    expect(await inHome(home, () => 'answered', { env, files: { ...node.files, remove: denied } })).toBe('answered')
  })

  it('unreadable credentials', async () => {
    expect(await outcome(inHome(home, () => {}, { env, files: { ...node.files, copyFolder: denied } }))).toBe(
      'no answer',
    )
  })

  it('an unreadable skill', async () => {
    expect(
      await outcome(inHome(home, () => {}, { env: {}, files: { ...node.files, copyFolder: denied } }, ['skills'])),
    ).toBe('no answer')
  })

  it('no space for temporary files', async () => {
    expect(await outcome(inHome(home, () => {}, { env, files: { ...node.files, makeTemporaryFolder: denied } }))).toBe(
      'no answer',
    )
  })
})

describe('the login of the user', () => {
  const folder = folderWith({ '.codex/auth.json': 'usual', 'named/auth.json': 'named', 'named/config.toml': 'x' })
  const read = (home: string) => readFileSync(join(home, 'auth.json'), 'utf8')

  it('is copied from the folder of the variable, and nothing else', async () => {
    const env = { HOME: folder, CODEX_HOME: join(folder, 'named') }
    expect(await inHome(folder, read, { env })).toBe('named')
    expect(await inHome(folder, home => readdirSync(home), { env })).toEqual(['auth.json'])
  })

  it('is copied from the default folder if the variable is empty', async () => {
    expect(await inHome(folder, read, { env: { HOME: folder, CODEX_HOME: '' } })).toBe('usual')
  })

  it('may be missing', async () => {
    const env = { HOME: join(folder, 'nowhere') }
    expect(await inHome(folder, home => readdirSync(home), { env })).toEqual([])
  })
})

describe('skills', () => {
  it('may be links and contain programs and links to outside, whose targets stay unchanged', async () => {
    const folder = folderWith({ 'real/SKILL.md': 'S', 'real/run.sh': '#!/bin/sh\n', 'shared/a.md': 'A' })
    chmodSync(join(folder, 'real/run.sh'), 0o755)
    symlinkSync('../shared', join(folder, 'real/shared'))
    symlinkSync('real', join(folder, 'linked'))
    let place = ''
    const result = await inHome(
      folder,
      home => {
        place = join(home, 'skills/linked')
        const isRun = (statSync(join(place, 'run.sh')).mode & 0o111) !== 0
        return { names: readdirSync(place, { recursive: true }).sort(), isRun }
      },
      { env: {} },
      ['linked'],
    )
    expect(result).toEqual({ names: ['SKILL.md', 'run.sh', 'shared', 'shared/a.md'], isRun: true })
    expect(existsSync(place)).toBe(false)
    expect(readFileSync(join(folder, 'shared/a.md'), 'utf8')).toBe('A')
  })
})
