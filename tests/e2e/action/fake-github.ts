import type { ServerResponse } from 'node:http'
import { type Call, type Server, serve } from '../../support/servers/server.ts'

export interface Comment {
  readonly id: number
  readonly user: { readonly login: string; readonly type: string } | null
  body: string
}

export const BOT = { login: 'github-actions[bot]', type: 'Bot' }
export const TOKENS = { write: 'token-that-writes', read: 'token-that-reads' }

const COMMENTS = '/repos/octo/agent/issues/7/comments'

/** A server with the endpoints of GitHub's API that comments need. */
export interface FakeGitHub extends Server {
  readonly comments: Comment[]
  /** Adds a comment, as if its author had written it. */
  add(body: string, user?: Comment['user']): Comment
  /** The requests that change something. */
  writes(): string[]
}

/** `fault` may answer a request instead; it returns whether it did. */
export async function fakeGitHub(fault: (call: Call, response: ServerResponse) => unknown = () => false) {
  const comments: Comment[] = []
  let lastId = 100
  const add = (body: string, user: Comment['user'] = BOT) => {
    const comment = { id: ++lastId, user, body }
    comments.push(comment)
    return comment
  }

  /** Status and body of the answer to a request. */
  const answer = (call: Call): [status: number, value?: unknown] => {
    const token = call.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!Object.values(TOKENS).includes(token)) return [401, { message: 'Bad credentials' }]
    const { pathname, searchParams } = new URL(call.path, 'http://github')
    if (pathname === '/graphql') return [200, { data: { viewer: { login: BOT.login } } }]
    if (call.method === 'GET') {
      const [size, page] = [Number(searchParams.get('per_page')), Number(searchParams.get('page'))]
      return pathname === COMMENTS ? [200, comments.slice((page - 1) * size, page * size)] : [404]
    }
    if (token !== TOKENS.write) return [403, { message: 'Resource not accessible by integration' }]
    return change(call.method, pathname, call.body === '' ? '' : JSON.parse(call.body).body)
  }

  const change = (method: string, path: string, body: string): [status: number, value?: unknown] => {
    if (body.length > 65_536) return [422, { message: 'Body is too long (maximum is 65536 characters)' }]
    if (path === COMMENTS) return [201, add(body)]
    const index = comments.findIndex(({ id }) => path === `/repos/octo/agent/issues/comments/${id}`)
    const comment = comments[index]
    if (!comment) return [404, { message: 'Not Found' }]
    if (method === 'PATCH') return [200, Object.assign(comment, { body })]
    comments.splice(index, 1)
    return [204]
  }

  const server = await serve(async (call, response) => {
    if (await fault(call, response)) return
    const [status, value] = answer(call)
    response.writeHead(status, { 'content-type': 'application/json' }).end(value && JSON.stringify(value))
  })
  const writes = () =>
    server.calls.filter(({ method, path }) => method !== 'GET' && path !== '/graphql').map(({ method }) => method)
  return { ...server, comments, add, writes } satisfies FakeGitHub
}
