import { hash } from 'node:crypto'

/** A hash in hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** The first 16 digits of a hash: enough to tell millions of things apart. A slice of the whole would keep the whole. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'buffer').toString('hex', 0, 8)
}
