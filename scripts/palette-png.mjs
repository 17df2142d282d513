import { crc32, deflateSync } from 'node:zlib'

/** Encodes pixels (RGBA, one byte each) as a PNG with at most 256 colours, which is small for pictures of text. */
export function palettePng({ width, height, pixels }) {
  const palette = new Map()
  const rows = Buffer.alloc((width + 1) * height)
  for (let at = 0; at < width * height; at++) {
    const colour = [0, 1, 2].map(channel => coarse(pixels[4 * at + channel])).join()
    if (!palette.has(colour)) palette.set(colour, palette.size)
    // Each row begins with the number of its filter, which is 0.
    rows[at + Math.floor(at / width) + 1] = palette.get(colour)
  }
  if (palette.size > 256) throw new RangeError(`The picture has ${palette.size} colours.`)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits, by palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...palette.keys()].flatMap(colour => colour.split(',').map(Number)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A colour in 16 steps; white stays white. */
function coarse(value) {
  return Math.round(value / 17) * 17
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
