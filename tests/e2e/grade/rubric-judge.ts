import { model } from '../../support/servers/model-servers.ts'
import { type Call, type Server, serve } from '../../support/servers/server.ts'

/** A model server that judges: an item is satisfied if the answer contains its text. */
export function serveJudge(): Promise<Server> {
  return serve((call, response) => model('openai_compatible', { text: verdictOf(call) })(call, response))
}

/** The target for this server. */
export function judgeTarget(server: Server, name = 'judge', more: object = {}): object {
  const where = { provider: 'openai_compatible', model: name, base_url: `${server.url}/${name}`, api_key: 'none' }
  return { name, ...where, retries: 0, ...more }
}

function verdictOf({ body }: Call): string {
  const { messages }: { messages: { content: string }[] } = JSON.parse(body)
  const text = messages[1]?.content ?? ''
  const [, answer = ''] = /<<<data-\w+\n([\s\S]*)\ndata-\w+>>>/.exec(text) ?? []
  const items = [...text.matchAll(/^- (\S+): (.*) \(satisfied or not\)$/gm)]
  return JSON.stringify({
    items: items.map(([, id, words = '']) => ({ id, satisfied: answer.includes(words), reasoning: 'looked' })),
  })
}
