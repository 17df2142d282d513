import { openRegular } from './open-regular.ts'

/** As much of the beginning of a file as is wanted, or all of a smaller one. */
export async function readBeginning(path: string, most: number): Promise<Uint8Array> {
  const file = await openRegular(path)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, most))
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length)
      // It has become shorter meanwhile.
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
