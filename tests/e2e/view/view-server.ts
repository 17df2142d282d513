import { script, script_hash, style, style_hash } from 'assay:view-page'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server answers, by path. */
export type Answers = Readonly<Record<string, unknown>>

/** The policy of `assay view`: the page may ask its own server, and nothing else. */
const POLICY = [
  "default-src 'none'",
  `script-src '${script_hash}'`,
  `style-src '${style_hash}'`,
  "connect-src 'self'",
  "img-src 'self' data:",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>Assay</title><style>${style}</style></head>
<body><div id="page"></div><script>${script}</script></body></html>`

/** Serves the page with fixed answers on loopback. */
export async function serveView(answers: Answers): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/token\//, '')
    if (path === '') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(PAGE)
      return
    }
    const isKnown = Object.hasOwn(answers, path)
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? answers[path] : { error: `nothing at ${path}` }))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token/`, close: () => server.close() }
}
