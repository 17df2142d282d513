import { afterAll } from 'vitest'
import { model, say } from '../../../support/servers/model-servers.ts'
import { type Call, type Server, serve } from '../../../support/servers/server.ts'

/** Two answers as a judge sees them, in their order. */
export type Choose = (first: string, second: string) => 'first' | 'second' | 'tie'

export const FIRST: Choose = () => 'first'
export const LONGER: Choose = (first, second) =>
  first.length === second.length ? 'tie' : first.length > second.length ? 'first' : 'second'

export interface PairServer {
  readonly targets: readonly object[]
  /** The number of requests to a target. */
  callsTo(name: string): number
  readonly server: Server
}

interface PairServerOptions {
  readonly choose: Choose
  /** What each target answers to an input; an error if undefined. */
  readonly answers: Readonly<Record<string, (input: string, nth: number) => string | undefined | Promise<string>>>
  /** Further fields of the targets, by name. */
  readonly fields?: Readonly<Record<string, object>>
}

const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

/** A server on loopback with a judge of pairs and the targets that it compares. */
export async function servePairs({ choose, answers, fields = {} }: PairServerOptions): Promise<PairServer> {
  const server = await serve(async (call, response) => {
    const name = call.path.split('/')[1] ?? ''
    const { messages }: { messages: { content: string }[] } = JSON.parse(call.body)
    const text = messages.at(-1)?.content ?? ''
    const answer = answers[name]
    const reply = answer ? await answer(text, call.nth) : verdictOn(text, choose)
    const behaviour = reply === undefined ? say(400, 'out of order') : model('openai_compatible', { text: reply })
    return behaviour(call, response)
  })
  servers.push(server)
  const target = (name: string) => ({
    name,
    provider: 'openai_compatible',
    model: name,
    base_url: `${server.url}/${name}`,
    api_key: 'none',
    retries: 0,
    ...fields[name],
  })
  return {
    targets: [...Object.keys(answers), 'judge'].map(target),
    callsTo: name => server.calls.filter(({ path }: Call) => path.startsWith(`/${name}/`)).length,
    server,
  }
}

function verdictOn(text: string, choose: Choose): string {
  const [first = '', second = ''] = Array.from(
    text.matchAll(/# (?:First|Second) answer\n<<<(data-\w+)\n([\s\S]*?)\n\1>>>/g),
    ([, , answer = '']) => answer,
  )
  const winner = choose(first, second)
  return JSON.stringify({ winner, reasoning: `${winner}: ${first.length} against ${second.length} characters` })
}
