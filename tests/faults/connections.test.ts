import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, NoAnswer } from '../../src/model/answer.ts'
import { providers } from '../../src/providers/index.ts'
import { askContext, PROMPT } from '../support/model-asks.ts'
import { replyOf, targetOf } from '../support/model-servers.ts'
import { type CutServer, cutServer, type Leaving, responseBytes } from './cut-server.ts'

/*
 * A server that leaves after each byte of its response: there is an answer only where all of it has come, and else an
 * error that says so, after which it is asked again.
 */

let server: CutServer
beforeAll(async () => {
  server = await cutServer()
})
afterAll(() => server.close())

const JSON_BODY = JSON.stringify({ reply: 'It is fine, as far as one can see.' })
const HTTP = { url: '', method: 'POST', response: { text: 'reply' } }

/** Returns the answer, or the error without one. */
async function answerOf(type: string, config: object): Promise<Answer | NoAnswer> {
  const provider = providers.find(each => each.type === type)
  const answer = provider?.answer(config, PROMPT, askContext())
  return (answer ?? Promise.reject(new Error(type))).catch(error => {
    if (error instanceof NoAnswer) return error
    throw error
  })
}

const isWhole = (answer: Answer | NoAnswer) => !(answer instanceof NoAnswer)

/** The outcomes after each byte, in words, with how many bytes had the same. */
async function outcomes(bytes: Buffer, leaving: Leaving, ask: () => Promise<Answer | NoAnswer>, step = 1) {
  const seen: { words: string; from: number }[] = []
  for (let most = 0; most <= bytes.length; most += step) {
    server.next = { bytes, most, leaving }
    const outcome = await ask()
    const words = outcome instanceof NoAnswer ? `${outcome.code}${outcome.retryable ? ', again' : ''}` : outcome.text
    if (outcome instanceof NoAnswer) expect(outcome.message).toMatch(/\w/)
    if (seen.at(-1)?.words !== words) seen.push({ words, from: most })
  }
  return seen
}

const ANSWER = 'It is fine, as far as one can see.'

describe('an agent behind a URL', () => {
  const ask = () => answerOf('http', { ...HTTP, url: server.url })

  it.each(['resets', 'hangs up'] as const)('that %s before all of a body with a length', async leaving => {
    const bytes = responseBytes(JSON_BODY, 'length')
    const seen = await outcomes(bytes, leaving, ask)
    // What is on its way may get lost when a connection is reset.
    if (leaving === 'resets') expect(seen.slice(0, 1)).toEqual([{ words: 'network, again', from: 0 }])
    else
      expect(seen).toEqual([
        { words: 'network, again', from: 0 },
        { words: ANSWER, from: bytes.length },
      ])
    for (const { words, from } of seen)
      if (words !== 'network, again') expect([words, from]).toEqual([ANSWER, bytes.length])
  })

  it('that hangs up before the last of its chunks', async () => {
    const bytes = responseBytes(JSON_BODY, 'chunks')
    const [first, last, ...more] = await outcomes(bytes, 'hangs up', ask)
    expect(first).toEqual({ words: 'network, again', from: 0 })
    // The last chunk is empty, and what ends it is not waited for.
    expect([last?.words, more]).toEqual([ANSWER, []])
    expect(last?.from).toBeGreaterThanOrEqual(bytes.length - '0\r\n\r\n'.length)
  })

  it('that hangs up without a length: the body is not JSON', async () => {
    const bytes = responseBytes(JSON_BODY, 'none')
    const head = bytes.length - JSON_BODY.length
    const seen = await outcomes(bytes, 'hangs up', ask)
    expect(seen).toEqual([
      { words: 'network, again', from: 0 },
      { words: 'bad-response', from: head },
      { words: ANSWER, from: bytes.length },
    ])
  })

  it('whose length is wrong', async () => {
    const whole = async (length: number) => {
      const bytes = responseBytes(JSON_BODY, 'length', length)
      server.next = { bytes, most: bytes.length, leaving: 'hangs up' }
      return ask()
    }
    expect(await whole(JSON_BODY.length + 1)).toMatchObject({ code: 'network', retryable: true })
    const short = await whole(JSON_BODY.length - 1)
    expect(isWhole(short) ? '' : (short as NoAnswer).code).toMatch(/^(bad-response|network)$/)
  })
})

describe('a model', () => {
  it('behind a server that hangs up', async () => {
    const name = 'openai_compatible'
    const bytes = responseBytes(JSON.stringify(replyOf(name)), 'length')
    const { name: _, provider, ...config } = targetOf(name, server.url) as Record<string, string>
    const seen = await outcomes(bytes, 'hangs up', () => answerOf(provider ?? '', config))
    expect(seen).toEqual([
      { words: 'network, again', from: 0 },
      { words: 'ok', from: bytes.length },
    ])
  })

  it('behind a server that resets', async () => {
    const bytes = responseBytes(JSON.stringify(replyOf('openai_compatible')), 'length')
    const { name: _, provider, ...config } = targetOf('openai_compatible', server.url) as Record<string, string>
    const seen = await outcomes(bytes, 'resets', () => answerOf(provider ?? '', config), 5)
    for (const { words, from } of seen)
      expect(words === 'network, again' || (words === 'ok' && from === bytes.length), `${words} ${from}`).toBe(true)
  })
})
