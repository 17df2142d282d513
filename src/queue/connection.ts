import { createRequire } from 'node:module'
import type * as bullmq from 'bullmq'
import type * as ioredis from 'ioredis'
import type { Redis } from 'ioredis'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { repeatWhileBusy } from './repeat-while-busy.ts'

/** A connection to Redis, for BullMQ and our own commands. Commands wait while Redis is away. */
export interface Connection {
  readonly redis: Redis
  readonly bullmq: typeof bullmq
  /** Whether Redis is not responding at the moment. */
  readonly isAway: boolean
  /** Registers a callback for each time that Redis is back. */
  onReturn(call: () => void): void
  /** A second connection, for commands that block the connection. Opened with the first use. */
  readonly blocking: Redis
  close(): void
}

interface ConnectionOptions {
  readonly url: string
  /** The client name, as in `CLIENT LIST` of Redis. */
  readonly name: string
  readonly host: Host
  say(text: string): void
}

const MAX_RECONNECT_MS = 1000

/** How long Redis may be silent: longer than any blocking command. */
const SOCKET_TIMEOUT_MS = 10_000

/** Connects to Redis. Throws `UserError` if that fails. */
export async function connect({ url, name, host, say }: ConnectionOptions): Promise<Connection> {
  const [bullmq, { Redis }] = loadBullMq()
  let isConnected = false
  let isClosed = false
  let problem: Error | undefined
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: name,
    connectTimeout: 5000,
    // A frozen Redis or a broken network keeps connections open.
    socketTimeout: SOCKET_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    // Retry only after a first success: before that, the URL is probably wrong.
    retryStrategy: times => (isConnected ? Math.min(times * 100, MAX_RECONNECT_MS) : null),
  })
  const opened: Redis[] = []
  const away = new Set<Redis>()
  const returns: (() => void)[] = []
  const watch = (connection: Redis) => {
    opened.push(connection)
    repeatWhileBusy(connection, say, host)
    connection.on('error', error => {
      problem = error
    })
    connection.on('close', () => {
      if (isConnected && !isClosed && away.size === 0) say('Redis is not responding; waiting until it is back.')
      away.add(connection)
    })
    connection.on('ready', () => {
      if (!away.delete(connection) || away.size > 0 || !isConnected) return
      say('Redis is back.')
      for (const call of returns) call()
    })
  }
  watch(redis)
  try {
    await redis.connect()
    await redis.ping()
    isConnected = true
  } catch (error) {
    redis.disconnect()
    const { message } = problem ?? (error as Error)
    throw new UserError(`Cannot reach Redis at ${hostAndPort(url)}: ${message}`)
  }
  return {
    redis,
    bullmq,
    get isAway() {
      return away.size > 0
    },
    onReturn: call => returns.push(call),
    get blocking() {
      if (!opened[1]) watch(redis.duplicate({ lazyConnect: false }))
      return opened[1] ?? redis
    },
    close() {
      isClosed = true
      for (const connection of opened) connection.disconnect()
    },
  }
}

/** Loads BullMQ with `require`, in half the time of `import`, which reads CommonJS twice to find its exports. */
function loadBullMq(): readonly [typeof bullmq, typeof ioredis] {
  const require = createRequire(import.meta.url)
  try {
    return [require('bullmq'), require('ioredis')]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    const advice = 'Install it where Assay is installed: npm install bullmq ioredis'
    throw new UserError('A queue needs BullMQ, which is not installed.', advice)
  }
}

/** The host and port of a URL, for messages: the rest may be secret. */
function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 6379}`
}

/** Reports a command that Redis rejects, for example because it is full or read-only. Throws any other error unchanged. */
export function throwRedisError(error: unknown, advice: string): never {
  if ((error as Error).name !== 'ReplyError') throw error
  throw new UserError(`Redis rejected a command: ${(error as Error).message}`, advice)
}

/** Waits for work with a timeout. Returns undefined if it takes longer. */
export async function withTimeout<T>(ms: number, work: Promise<T>, host: Host): Promise<T | undefined> {
  let callOff = () => {}
  const late = new Promise<undefined>(resolve => {
    callOff = host.clock.setTimer(ms, () => resolve(undefined))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    callOff()
  }
}
