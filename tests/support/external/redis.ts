import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe } from 'vitest'

/** Whether tests that need Redis are skipped. */
export interface FoundRedis {
  readonly isSkipped: boolean
  /** What is missing and how to install it; undefined if Redis is installed. */
  readonly problem: string | undefined
}

/** Tests that need a missing Redis are skipped; in CI they run and fail. */
export function findRedis(env: NodeJS.ProcessEnv): FoundRedis {
  const { status } = spawnSync('redis-server', ['--version'], { env })
  if (status === 0) return { isSkipped: false, problem: undefined }
  const problem = 'Distributed runs cannot be tested: Redis not found. To get it: apt install redis-server'
  return { isSkipped: !env['CI'], problem }
}

const found = findRedis(process.env)
if (found.problem !== undefined) console.warn(found.problem)

/** A `describe` for tests with workers. */
export const describeWithRedis = describe.skipIf(found.isSkipped)

/** A Redis server of one test, which can be stopped and restarted. */
export class TestRedis {
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'redis-'))
  readonly #args: readonly string[]
  /** Additional arguments for clients. */
  readonly #clientArgs: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, args: readonly string[], clientArgs: readonly string[] = []) {
    this.#port = port
    this.#args = args
    this.#clientArgs = clientArgs
  }

  static async start(...args: readonly string[]): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), args)
    await redis.begin()
    return redis
  }

  /** Starts a new server on a given port. */
  static async startAt(port: number): Promise<TestRedis> {
    const redis = new TestRedis(port, [])
    await redis.begin()
    return redis
  }

  /** Starts a server that accepts only TLS connections. */
  static async startTls(cert: string, key: string): Promise<TestRedis> {
    const port = await freePort()
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
    const args = ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files]
    const redis = new TestRedis(port, args, ['--tls', '--cacert', cert])
    await redis.begin()
    return redis
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null
  }

  get url(): string {
    return `${this.#clientArgs.length > 0 ? 'rediss' : 'redis'}://127.0.0.1:${this.#port}`
  }

  get port(): number {
    return this.#port
  }

  async begin(): Promise<void> {
    const port = this.#clientArgs.length > 0 ? 0 : this.#port
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', '']
    this.#child = spawn('redis-server', [...own, ...this.#args], { stdio: 'ignore' })
    for (let waited = 0; waited < 10_000; waited += 20) {
      const reply = spawnSync('redis-cli', ['-p', String(this.#port), ...this.#clientArgs, 'ping'], {
        encoding: 'utf8',
      }).stdout
      if (/PONG|NOAUTH/.test(reply)) return
      await sleep(20)
    }
    throw new Error('Redis does not start')
  }

  /** Suspends the server: it keeps its connections and answers no request. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Stops the server; data on the disk is kept. */
  async end(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    // A suspended server ends after it is resumed.
    child.kill('SIGCONT')
    await ended
  }

  /** Runs a query with a new client. */
  async ask<T>(query: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url)
    try {
      return await query(redis)
    } finally {
      redis.disconnect()
    }
  }

  keys(): Promise<string[]> {
    return this.ask(redis => redis.keys('*'))
  }

  /** All keys and values as one text. */
  dump(): Promise<string> {
    return this.ask(async redis => {
      const parts: string[] = []
      for (const key of await redis.keys('*')) parts.push(key, JSON.stringify(await contentOf(redis, key)))
      return parts.join('\n')
    })
  }
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  const read: Record<string, () => Promise<unknown>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1'),
    stream: () => redis.xrange(key, '-', '+'),
  }
  return read[await redis.type(key)]?.()
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
