/** The first bytes of each type: the name of a file can be wrong. SVG is not among them, because it can contain code. */
const IMAGES: readonly (readonly [type: string, isType: (start: string) => boolean])[] = [
  ['image/png', start => start.startsWith('\u0089PNG\r\n\u001a\n')],
  ['image/jpeg', start => start.startsWith('\u00ff\u00d8\u00ff')],
  ['image/gif', start => /^GIF8[79]a/.test(start)],
  ['image/webp', start => start.startsWith('RIFF') && start.endsWith('WEBP')],
]

/** The media type of an image by its first bytes; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  return IMAGES.find(([, isType]) => isType(start))?.[0]
}
