import type { Line } from '../model/host.ts'
import { openRegular } from './open-regular.ts'

const NEWLINE = 0x0a

/** The lines of a file with their offsets; a last one without an end is left out. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let offset = 0
  const stream = (await openRegular(path)).createReadStream({ highWaterMark: 1024 * 1024 })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end)
      const bytes = rest.length > 0 ? Buffer.concat([...rest, part]) : part
      yield { text: bytes.toString('utf8'), offset, length: bytes.length }
      offset += bytes.length + 1
      rest = []
      start = end + 1
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start))
    }
  }
}
