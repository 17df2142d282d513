import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderWith } from '../../support/program.ts'
import { embed } from '../../support/servers/embeddings.ts'
import { KEY, replyOf, say, targetOf } from '../../support/servers/model-servers.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { targets } from './targets-command.ts'

describe('assay targets --ping of models for embeddings', () => {
  let server: Server
  beforeAll(async () => {
    const noChat = say(404, { error: { message: 'this is not a chat model' } })
    server = await serve((call, response) => {
      const [, model, ...path] = call.path.split('/')
      if (path.at(-1) === 'embeddings') return (model === 'absent' ? noChat : embed)(call, response)
      return (model === 'chat' ? say(200, replyOf('openai_compatible')) : model === 'broken' ? say(500) : noChat)(
        call,
        response,
      )
    })
  })
  afterAll(() => server.close())

  it.each([
    ['embedding', 0, 'ok', 'embeds texts, but does not answer prompts', ['chat/completions', 'embeddings']],
    ['chat', 0, 'ok', 'answered in', ['chat/completions']],
    ['absent', 1, 'no answer', 'this is not a chat model', ['chat/completions', 'embeddings']],
    // A server that fails may have any model.
    ['broken', 1, 'no answer', '500', ['chat/completions']],
  ])('%s', async (name, code, status, message, paths) => {
    const target = { name, ...targetOf('openai_compatible', `${server.url}/${name}`) }
    const cwd = folderWith({ '.assay/targets.yaml': JSON.stringify({ targets: [target] }) })
    const result = await targets(['--ping'], cwd)
    expect({ ...result, code: Math.min(1, result.code ?? 1) }).toMatchObject({ code })
    expect(result.stdout).toContain(status)
    expect(result.stdout).toContain(message)
    expect(result.stdout).not.toContain(KEY)
    const asked = server.calls.filter(({ path }) => path.startsWith(`/${name}/`))
    expect(asked.map(({ path }) => path.slice(name.length + 2))).toEqual(paths)
  })
})
