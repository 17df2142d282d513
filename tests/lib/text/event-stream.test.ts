import { describe, expect, it } from 'vitest'
import { eventsIn, type StreamEvent } from '../../../src/lib/text/event-stream.ts'

/** Parses a stream that arrives in chunks of this many bytes. */
async function parse(text: string, size: number): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(text)
  const events: StreamEvent[] = []
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  for await (const event of eventsIn(chunks())) events.push(event)
  return events
}

describe('a stream of events', () => {
  it.each([1, 2, 3, 1000])('is parsed in chunks of %i bytes', async size => {
    const text =
      ': comment\r\n\r\nid: 1\r\nretry: 20\r\ndata: {"é":\r\ndata:"€"}\r\n\r\ndata: next\n\nid: 2\r\rdata: cut'
    expect((await parse(text, size)).filter(({ data, id }) => data !== '' || id === '2')).toEqual([
      { data: '{"é":\n"€"}', id: '1', retry: 20 },
      { data: 'next', id: '1', retry: 20 },
      { data: '', id: '2', retry: 20 },
    ])
  })

  it('is parsed in linear time', async () => {
    const [event] = await parse(`data: ${'x'.repeat(10_000_000)}\n\n`, 16_384)
    expect(event?.data).toHaveLength(10_000_000)
  })
})
