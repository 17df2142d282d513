import type { Redis } from 'ioredis'

/** A Lua script, which Redis runs as one step. Its text is sent again only if Redis has forgotten it. */
export class Script {
  readonly #text: string
  #hash: Promise<string> | undefined

  constructor(text: string) {
    this.#text = text
  }

  async run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      this.#hash ??= redis.script('LOAD', this.#text) as Promise<string>
      return await redis.evalsha(await this.#hash, keys.length, ...keys, ...values)
    } catch (error) {
      this.#hash = undefined
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      return redis.eval(this.#text, keys.length, ...keys, ...values)
    }
  }
}
