import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderWith, run } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { runAction } from './action-runner.ts'
import { checkout, installStandIn } from './checkout.ts'

let folder = ''
let tarball = ''
let registry: Server

/** Packs a program that prints its version, and serves it as the only version of `assay`. */
beforeAll(async () => {
  const source = folderWith({
    'package.json': '{ "name": "assay", "version": "3.2.1", "bin": { "assay": "assay.js" } }',
    'assay.js': '#!/usr/bin/env node\nconsole.log("3.2.1", process.argv[2])\n',
  })
  await run('npm', ['pack', '--silent'], { cwd: source })
  tarball = join(source, 'assay-3.2.1.tgz')
  folder = await checkout({ baseline: false })
  registry = await serve(({ path }, response) => {
    if (path.endsWith('.tgz')) return response.end(readFileSync(tarball))
    if (path !== '/assay') return response.writeHead(404).end('{}')
    const dist = { tarball: `${registry.url}/assay/-/assay-3.2.1.tgz` }
    const version = { name: 'assay', version: '3.2.1', bin: { assay: 'assay.js' }, dist }
    return response.end(
      JSON.stringify({
        name: 'assay',
        'dist-tags': { latest: '3.2.1', next: '3.2.1' },
        versions: { '3.2.1': version },
      }),
    )
  })
})
afterAll(() => registry.close())

async function install(inputs: Record<string, string>, cwd = folder) {
  const env = {
    npm_config_registry: `${registry.url}/`,
    npm_config_cache: folderWith(),
    npm_config_prefer_offline: 'false',
  }
  return await runAction({ checkout: cwd, inputs: { comment: 'false', ...inputs }, env })
}

describe('the version of the program', () => {
  it.each(['', 'latest', 'next', '3.2.1', '^3.0.0', '>=3 <4'])(
    '%j is installed outside of the project',
    async version => {
      const { code, log, outputs } = await install({ version })
      expect(log).toContain('Installed assay: 3.2.1')
      expect({ code, ...outputs }).toMatchObject({ code: 0, 'exit-code': '0' })
      expect((await run('git', ['status', '--porcelain'], { cwd: folder })).stdout).toBe('')
    },
  )

  it('may be a packed file', async () => {
    const { code, log } = await install({ version: tarball })
    expect({ code, log }).toMatchObject({ code: 0, log: expect.stringContaining('Installed assay: 3.2.1') })
  })

  it('is that of the project, also above the working directory, unless another is named', async () => {
    const project = await checkout({ baseline: false, files: { 'packages/a/EVAL.yaml': 'name: a\n' } })
    installStandIn(join(project, 'node_modules/.bin'), {})
    const inputs = { 'working-directory': 'packages/a' }
    expect((await install(inputs, project)).log).toContain('Using the assay of the project: 0.0.0-stand-in')
    expect((await install({ ...inputs, version: '3.2.1' }, project)).log).toContain('Installed assay: 3.2.1')
  })

  it.each([
    ['none.tgz', 'names a file that does not exist'],
    ['npm:other@1', 'must be a version, tag or range'],
    ['https://example.com/x', 'must be a version, tag or range'],
    ['1.0.0; touch pwned', 'must be a version, tag or range'],
    ['$(touch pwned)', 'must be a version, tag or range'],
  ])('rejects %s', async (version, message) => {
    const { code, commands } = await install({ version })
    expect(code).toBe(2)
    expect(commands).toEqual([expect.stringContaining(message)])
  })

  it('fails the job if it does not exist', async () => {
    const { code, log, upload } = await install({ version: '9.9.9' })
    expect(code).not.toBe(0)
    expect(log).toContain('assay@9.9.9')
    expect(upload).toBeUndefined()
  })

  it('needs a new Node', async () => {
    const programs = folderWith({ node: '#!/bin/sh\nexit 1\n' })
    await run('chmod', ['+x', join(programs, 'node')], { cwd: programs })
    const env = { PATH: `${programs}:${process.env['PATH']}` }
    const { code, commands } = await runAction({ checkout: folder, env })
    expect(code).toBe(2)
    expect(commands).toEqual([expect.stringContaining('Add actions/setup-node before this action')])
  })
})
