import type * as bullmq from 'bullmq'
import type { Redis } from 'ioredis'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'

/** Redis, and what BullMQ makes of it. Commands wait while it is away. */
export interface Connection {
  readonly redis: Redis
  readonly bullmq: typeof bullmq
  /** Whether Redis does not answer at the moment. */
  readonly isAway: boolean
  /** Called each time Redis is there again after it was away. */
  onReturn(call: () => void): void
  close(): void
}

interface ConnectionOptions {
  readonly url: string
  /** Shown by Redis to whoever lists its clients. */
  readonly name: string
  say(text: string): void
}

const MAX_RECONNECT_MS = 1000

/** How long an answer may take: longer than anybody waits at a queue. */
const SOCKET_TIMEOUT_MS = 10_000

/** Connects to Redis, or says why not. */
export async function connect({ url, name, say }: ConnectionOptions): Promise<Connection> {
  const [bullmq, { Redis }] = await loadBullMq()
  let isConnected = false
  let isClosed = false
  let isAway = false
  let problem: Error | undefined
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: name,
    connectTimeout: 5000,
    // A Redis that is frozen, or behind a network that is gone, keeps its connections open.
    socketTimeout: SOCKET_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    // Who cannot connect at all has made a mistake; who could before waits.
    retryStrategy: times => (isConnected ? Math.min(times * 100, MAX_RECONNECT_MS) : null),
  })
  const returns: (() => void)[] = []
  redis.on('error', error => {
    problem = error
  })
  redis.on('close', () => {
    if (isConnected && !isClosed && !isAway) say('Redis does not answer: waiting until it is back.')
    isAway = true
  })
  redis.on('ready', () => {
    if (!isConnected || !isAway) return
    isAway = false
    say('Redis is back.')
    for (const call of returns) call()
  })
  try {
    await redis.connect()
    await redis.ping()
    isConnected = true
    isAway = false
  } catch (error) {
    redis.disconnect()
    const { message } = problem ?? (error as Error)
    throw new UserError(`Cannot reach Redis at ${hostAndPort(url)}: ${message}`)
  }
  return {
    redis,
    bullmq,
    get isAway() {
      return isAway
    },
    onReturn: call => returns.push(call),
    close() {
      isClosed = true
      redis.disconnect()
    },
  }
}

async function loadBullMq() {
  try {
    return await Promise.all([import('bullmq'), import('ioredis')])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const advice = 'Install it where Assay is installed: npm install bullmq ioredis'
    throw new UserError('A queue needs BullMQ, which is not installed.', advice)
  }
}

/** Host and port: nothing else of a URL is shown. */
function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 6379}`
}

/** What Redis does not let us do is no bug of ours: it is full, or may only be read. Anything else is thrown again. */
export function throwRedisError(error: unknown, advice: string): never {
  if ((error as Error).name !== 'ReplyError') throw error
  throw new UserError(`Redis does not go along: ${(error as Error).message}`, advice)
}

/** What comes of work within a time; undefined where nothing does. */
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
