import { hash as cryptoHash } from 'node:crypto'

/** Kept after the first use: the built program looks for the module at each use of an export (`host/code-cache.ts`). */
let hash: typeof cryptoHash | undefined

/** Returns the SHA-256 hash in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  hash ??= cryptoHash
  return hash('sha256', data, 'hex')
}

const digits = Buffer.alloc(16)

/** Returns the first 16 digits of the hash: unique among millions, and not a slice that keeps the full hash in memory. */
export function shortHash(text: string): string {
  digits.write(sha256(text), 'latin1')
  return digits.toString('latin1')
}
