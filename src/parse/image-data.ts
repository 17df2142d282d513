/** Whether the value of an image block is the image itself: a `data:` URI, or base64 that begins as images do. */
export function isImageData(value: string): boolean {
  if (/^data:/i.test(value)) return true
  if (value.length < SHORTEST || !/^[A-Za-z0-9+/\s]+=*\s*$/.test(value)) return false
  const start = value.slice(0, 64).replace(/\s/g, '')
  return BASE64_STARTS.some(pattern => pattern.test(start))
}

const SHORTEST = 24

/** PNG, JPEG, GIF, WebP, BMP and SVG as the first bytes look in base64. */
const BASE64_STARTS = [/^iVBORw0KGgo/, /^\/9j\//, /^R0lGOD[dl]h/, /^UklGR.{6}XRUJQ/, /^Qk[0-3]/, /^PHN2Zy/, /^PD94bWwg/]
