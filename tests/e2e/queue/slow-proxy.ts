import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to a port on loopback that delays all data, in both directions. */
export class SlowProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(port: number, delayMs: number) {
    this.#server = createServer(near => {
      const far = connect(port, '127.0.0.1')
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', chunk => setTimeout(() => to.write(chunk), delayMs))
        from.on('error', () => {})
        from.on('close', () => setTimeout(() => to.destroy(), delayMs))
      }
    })
  }

  static async start(port: number, delayMs: number): Promise<SlowProxy> {
    const proxy = new SlowProxy(port, delayMs)
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    const address = this.#server.address()
    return `redis://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
