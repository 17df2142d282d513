/** Whether the value of an image block is the image itself: a `data:` URI, or base64 that decodes to a known image. */
export function isImageData(value: string): boolean {
  if (/^data:/i.test(value)) return true
  const start = value.slice(0, SAMPLE).replace(/\s+/g, '')
  if (!MAGIC.test(decoded(start.slice(0, start.length - (start.length % 4))))) return false
  const text = value.replace(/\s+/g, '')
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

const SAMPLE = 256

/** How PNG, JPEG, GIF, WebP, BMP and SVG begin, byte by byte. */
const MAGIC = /^(\x89PNG\r\n|\xff\xd8\xff[\xc0-\xfe]|GIF8[79]a|RIFF[\s\S]{4}WEBP|BM[\s\S]{4}\0\0\0\0|<svg|<\?xml )/

function decoded(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}
