import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Slowness {
  /** Delays all data, in both directions. */
  readonly delayMs?: number
  /** Lets nothing pass to the port for `pauseMs` after a command that contains this text. */
  readonly pauseAfter?: string
  readonly pauseMs?: number
}

/** A slow proxy to a port on loopback. */
export class SlowProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #pause: Promise<unknown> = Promise.resolve()

  private constructor(port: number, slowness: Slowness) {
    const { delayMs = 0, pauseAfter, pauseMs = 0 } = slowness
    this.#server = createServer(near => {
      const far = connect(port, '127.0.0.1')
      this.#forward(far, near, delayMs, async () => {})
      this.#forward(near, far, delayMs, async chunk => {
        await this.#pause
        if (pauseAfter !== undefined && chunk.includes(pauseAfter)) this.#pause = sleep(pauseMs)
      })
    })
  }

  /** Passes data on, in order, each chunk after `before` it. */
  #forward(from: Socket, to: Socket, delayMs: number, before: (chunk: Buffer) => Promise<void>): void {
    this.#sockets.add(from)
    let last = Promise.resolve()
    const then = (act: () => Promise<void> | void) => {
      const delay = sleep(delayMs)
      last = last.then(() => delay).then(act)
    }
    from.on('data', chunk => then(() => before(chunk).then(() => void to.write(chunk))))
    from.on('error', () => {})
    from.on('close', () => then(() => void to.destroy()))
  }

  static async start(port: number, slowness: Slowness): Promise<SlowProxy> {
    const proxy = new SlowProxy(port, slowness)
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
