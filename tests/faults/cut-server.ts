import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** How a server closes the connection: with a reset, or as after a complete response. */
export type Leaving = 'resets' | 'hangs up'

export interface CutServer {
  readonly url: string
  /** The response, the number of bytes to send, and how the connection ends. */
  next: { readonly bytes: Buffer; readonly most: number; readonly leaving: Leaving }
  close(): Promise<void>
}

/** A server on loopback that sends the beginning of a response and closes the connection. */
export async function cutServer(): Promise<CutServer> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let request = ''
    socket.on('data', chunk => {
      request += chunk
      if (!isWhole(request)) return
      request = ''
      const { bytes, most, leaving } = cut.next
      const leave = () => (leaving === 'resets' ? socket.resetAndDestroy() : socket.end())
      if (most === 0) leave()
      else socket.write(bytes.subarray(0, most), leave)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut: CutServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: { bytes: Buffer.alloc(0), most: 0, leaving: 'resets' },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return cut
}

/** Whether a request is complete, including its body. */
function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(request)?.[1]
  return end >= 0 && Buffer.byteLength(request.slice(end + 4)) >= Number(length ?? 0)
}

/** The bytes of an HTTP response. */
export function responseBytes(body: string, framing: 'length' | 'chunks' | 'none', length = body.length): Buffer {
  const lines = ['HTTP/1.1 200 OK', 'content-type: application/json']
  if (framing === 'length') return wire([...lines, `content-length: ${length}`], body)
  if (framing === 'none') return wire([...lines, 'connection: close'], body)
  const half = Math.floor(body.length / 2)
  const chunks = [body.slice(0, half), body.slice(half), ''].map(part => `${part.length.toString(16)}\r\n${part}\r\n`)
  return wire([...lines, 'transfer-encoding: chunked'], chunks.join(''))
}

function wire(lines: readonly string[], body: string): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
