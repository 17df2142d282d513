import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEMPLATES } from '../../../src/operations/init-templates.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { model } from '../../support/servers/model-servers.ts'
import { serve } from '../../support/servers/server.ts'

describe.each(TEMPLATES)('assay init --template %s', template => {
  it('writes a suite that is valid and passes at once', async () => {
    const cwd = folderWith({})
    const written = await assay(['init', '--template', template], { cwd })
    expect(written.code, written.stderr).toBe(0)
    const validated = await assay(['validate', '--strict'], { cwd })
    expect(validated.code, validated.stdout).toBe(0)
    const { code, stderr } = await assay(['eval'], { cwd, env: { OPENAI_API_KEY: undefined } })
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/2 tests: 2 passed/)
  })

  it('keeps files that exist', async () => {
    const cwd = folderWith({ 'EVAL.yaml': 'mine' })
    const { stdout } = await assay(['init', '--template', template], { cwd })
    expect(stdout).toContain('kept  EVAL.yaml (already exists)')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toBe('mine')
    expect(stdout).toContain('The template is not complete: EVAL.yaml existed with other content.')
    expect(stdout).toContain(`assay init my-evals --template ${template}\n`)
    expect(stdout).not.toContain('Next: assay eval')
    const inNewFolder = await assay(['init', 'my-evals', '--template', template], { cwd })
    expect(inNewFolder.stdout).toContain('\nNext: assay eval\nTo go live: ')
    const again = await assay(['init', 'my-evals', '--template', template], { cwd })
    expect(again.stdout, 'its own files').toContain('\nNext: assay eval\nTo go live: ')
    expect((await assay(['eval', 'my-evals'], { cwd })).code).toBe(0)
  })

  it('says how to go live, with a target that is valid', async () => {
    const cwd = folderWith({})
    await assay(['init', '--template', template], { cwd })
    const suite = readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')
    writeFileSync(join(cwd, 'EVAL.yaml'), suite.replace('target: stand-in', 'target: live'))
    const { stdout } = await assay(['validate', '--targets'], { cwd, env: { OPENAI_API_KEY: 'x'.repeat(20) } })
    // The agent itself may be missing on this machine.
    expect(stdout).not.toMatch(/error (?!not-available)/)
  })
})

describe('going live', () => {
  /** The files of a template after the change that it describes. */
  async function goLive(template: string, targets: (text: string) => string): Promise<string> {
    const cwd = folderWith({})
    const { stdout } = await assay(['init', '--template', template], { cwd })
    expect(stdout).toContain('change `target: stand-in` to `live` in EVAL.yaml')
    for (const [name, change] of [
      ['EVAL.yaml', (text: string) => text.replace('target: stand-in', 'target: live')],
      ['.assay/targets.yaml', targets],
    ] as const) {
      const before = readFileSync(join(cwd, name), 'utf8')
      expect(change(before)).not.toBe(before)
      writeFileSync(join(cwd, name), change(before))
    }
    return cwd
  }

  const capital = (text: string) => (text.includes('France') ? 'Paris' : 'Oslo')

  it('asks the server of the http template', async () => {
    const server = await serve(({ body }, response) => {
      response.end(JSON.stringify({ answer: capital(JSON.parse(body).message) }))
    })
    const cwd = await goLive('http', text => text.replace('http://localhost:8000', server.url))
    const { code, stderr } = await assay(['eval'], { cwd })
    await server.close()
    expect(code, stderr).toBe(0)
    expect(server.calls.map(({ path }) => path)).toEqual(['/chat', '/chat'])
  })

  it('asks the service of the model template, with the key of the environment', async () => {
    const server = await serve((call, response) => model('openai', { text: capital(call.body) })(call, response))
    const cwd = await goLive('model', text => text.replace(/( +)model: gpt.*/, `$&\n$1base_url: ${server.url}`))
    const missing = await assay(['eval'], { cwd, env: { OPENAI_API_KEY: undefined } })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('OPENAI_API_KEY')
    const { code, stderr } = await assay(['eval'], { cwd, env: { OPENAI_API_KEY: 'planted-key-1234' } })
    await server.close()
    expect(code, stderr).toBe(0)
    expect(server.calls.map(({ headers }) => headers['authorization'])).toEqual(
      Array(2).fill('Bearer planted-key-1234'),
    )
  })
})

it('lists the templates if one is unknown', async () => {
  const { code, stderr } = await assay(['init', '--template', 'pyton'], { cwd: folderWith({}) })
  expect(code).toBe(2)
  expect(stderr).toContain('python, http, model, skill, plugin')
})
