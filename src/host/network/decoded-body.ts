import type { Readable, Transform } from 'node:stream'

/** Returns the content of a body whose encodings are listed in the order in which they were applied. */
export function decodedBody(body: Readable, encodings = ''): Readable {
  // An error is thrown to the reader. Without a listener, one that comes before the first read would end the process.
  body.on('error', () => {})
  if (encodings === '') return body
  const decoders = encodings.split(',').map(encoding => DECODERS.get(encoding.trim().toLowerCase()))
  if (decoders.length > MOST_ENCODINGS) throw tooMany(decoders.length)
  if (!decoders.every(decoder => decoder !== undefined)) return body
  const { pipeline } = process.getBuiltinModule('node:stream')
  return decoders.reverse().reduce<Readable>((encoded, decoder) => pipeline(encoded, decoder(), () => {}), body)
}

const MOST_ENCODINGS = 5

function tooMany(count: number): Error {
  const message = `the response has ${count} content encodings, and at most ${MOST_ENCODINGS} are decoded`
  return Object.assign(new Error(message), { code: 'EPROTO' })
}

/** Reads a stream to its end. Returns undefined, and closes it, if it is larger than `maxBytes`. */
export function readAll(body: Readable, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    if (body.errored) return reject(body.errored)
    // Not by iteration, which makes objects for each chunk.
    body.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= maxBytes) return
      resolve(undefined)
      body.destroy()
    })
    body.on('end', () => resolve(Buffer.concat(chunks)))
    body.on('error', reject)
    body.on('close', () => {
      // An error takes longer to make than the rest of this function.
      if (!body.readableEnded) reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    })
  })
}

/** A body that ends too early, as an empty one does, is decoded as far as it goes: JSON shows what is missing. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', () => zlib().createGunzip({ finishFlush: zlib().constants.Z_SYNC_FLUSH })],
  ['x-gzip', () => zlib().createGunzip({ finishFlush: zlib().constants.Z_SYNC_FLUSH })],
  ['deflate', () => zlib().createInflate({ finishFlush: zlib().constants.Z_SYNC_FLUSH })],
  ['br', () => zlib().createBrotliDecompress({ finishFlush: zlib().constants.BROTLI_OPERATION_FLUSH })],
])

function zlib() {
  return process.getBuiltinModule('node:zlib')
}
