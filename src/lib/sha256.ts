import { hash } from 'node:crypto'

/** Returns the SHA-256 hash in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

const digits = Buffer.alloc(16)

/** Returns the first 16 digits of the hash: unique among millions, and not a slice that keeps the full hash in memory. */
export function shortHash(text: string): string {
  digits.write(sha256(text), 'latin1')
  return digits.toString('latin1')
}
