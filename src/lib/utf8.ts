export type Decoded = { readonly text: string } | { readonly text: string; readonly invalidAt: number }

/**
 * Bytes as text, without a byte order mark. Where they are not UTF-8, `invalidAt` is the offset in `text`
 * (which then ends there) of the first byte that is not.
 */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const prefix = validPrefix(bytes)
    return { text: prefix, invalidAt: prefix.length }
  }
}

function validPrefix(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoded = new TextEncoder().encode(decoder.decode(bytes))
  let end = 0
  while (end < bytes.length && bytes[end] === encoded[end]) end++
  // The first difference may lie inside a character that both begin alike: step back to where it starts.
  while (end > 0 && isContinuation(bytes[end]) && isContinuation(encoded[end])) end--
  return new TextDecoder('utf-8').decode(bytes.subarray(0, end))
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
