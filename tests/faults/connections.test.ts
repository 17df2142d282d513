import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, NoAnswer } from '../../src/model/answer.ts'
import { providers } from '../../src/providers/index.ts'
import { askContext, PROMPT } from '../support/servers/ask-model.ts'
import { replyOf, targetOf } from '../support/servers/model-servers.ts'
import { type CutServer, cutServer, type Leaving, responseBytes } from './cut-server.ts'

/*
 * A server closes the connection after each byte of its response: there is an answer only if the response is complete,
 * and a retryable error otherwise.
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

/** The outcomes for every length of the response; each with the first length that has it. */
async function outcomes(bytes: Buffer, leaving: Leaving, ask: () => Promise<Answer | NoAnswer>, step = 1) {
  const found: { words: string; from: number }[] = []
  for (let most = 0; most <= bytes.length; most += step) {
    server.next = { bytes, most, leaving }
    const outcome = await ask()
    const words = outcome instanceof NoAnswer ? `${outcome.code}${outcome.retryable ? ', again' : ''}` : outcome.text
    if (outcome instanceof NoAnswer) expect(outcome.message).toMatch(/\w/)
    if (found.at(-1)?.words !== words) found.push({ words, from: most })
  }
  return found
}

const ANSWER = 'It is fine, as far as one can see.'

describe('an http target', () => {
  const ask = () => answerOf('http', { ...HTTP, url: server.url })

  it.each(['resets', 'hangs up'] as const)(
    'gives a network error if the server %s before the end of the body',
    async leaving => {
      const bytes = responseBytes(JSON_BODY, 'length')
      const found = await outcomes(bytes, leaving, ask)
      // Data in flight can get lost when a connection is reset.
      if (leaving === 'resets') expect(found.slice(0, 1)).toEqual([{ words: 'network, again', from: 0 }])
      else
        expect(found).toEqual([
          { words: 'network, again', from: 0 },
          { words: ANSWER, from: bytes.length },
        ])
      for (const { words, from } of found)
        if (words !== 'network, again') expect([words, from]).toEqual([ANSWER, bytes.length])
    },
  )

  it('gives a network error if the server hangs up before the last chunk', async () => {
    const bytes = responseBytes(JSON_BODY, 'chunks')
    const [first, last, ...more] = await outcomes(bytes, 'hangs up', ask)
    expect(first).toEqual({ words: 'network, again', from: 0 })
    // The last chunk is empty, and its end is not awaited.
    expect([last?.words, more]).toEqual([ANSWER, []])
    expect(last?.from).toBeGreaterThanOrEqual(bytes.length - '0\r\n\r\n'.length)
  })

  it('gives a bad response if a body without a length is incomplete', async () => {
    const bytes = responseBytes(JSON_BODY, 'none')
    const head = bytes.length - JSON_BODY.length
    const found = await outcomes(bytes, 'hangs up', ask)
    expect(found).toEqual([
      { words: 'network, again', from: 0 },
      { words: 'bad-response', from: head },
      { words: ANSWER, from: bytes.length },
    ])
  })

  it('gives an error if the length is wrong', async () => {
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
  it('gives a network error if the server hangs up', async () => {
    const name = 'openai_compatible'
    const bytes = responseBytes(JSON.stringify(replyOf(name)), 'length')
    const { name: _, provider, ...config } = targetOf(name, server.url) as Record<string, string>
    const found = await outcomes(bytes, 'hangs up', () => answerOf(provider ?? '', config))
    expect(found).toEqual([
      { words: 'network, again', from: 0 },
      { words: 'ok', from: bytes.length },
    ])
  })

  it('gives a network error if the server resets the connection', async () => {
    const bytes = responseBytes(JSON.stringify(replyOf('openai_compatible')), 'length')
    const { name: _, provider, ...config } = targetOf('openai_compatible', server.url) as Record<string, string>
    const found = await outcomes(bytes, 'resets', () => answerOf(provider ?? '', config), 5)
    for (const { words, from } of found)
      expect(words === 'network, again' || (words === 'ok' && from === bytes.length), `${words} ${from}`).toBe(true)
  })
})
