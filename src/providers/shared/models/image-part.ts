import type { LanguageModelV3FilePart } from '@ai-sdk/provider'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Block } from '../../../model/message.ts'

/** Converts an image to a part of a message, with its media type: that of its content, else that of its name or URL. */
export async function toImagePart(
  { value, path }: Block & { type: 'image' },
  host: Host,
): Promise<LanguageModelV3FilePart> {
  if (path !== undefined) {
    const image = await host.files.read(path).catch((error: Error) => {
      throw new NoAnswer('bad-prompt', `cannot read an image of the input: ${error.message}`)
    })
    return imagePart(image, MEDIA_TYPES.find(([ending]) => path.toLowerCase().endsWith(ending))?.[1])
  }
  const [, type, encoding = '', data] = /^data:([^;,]*)([^,]*),(.*)$/is.exec(value) ?? []
  if (data === undefined) return imagePart(parseBase64(value))
  const isBase64 = /;base64$/i.test(encoding)
  return imagePart(isBase64 ? parseBase64(decodePercents(data)) : new TextEncoder().encode(decodePercents(data)), type)
}

function imagePart(data: string | Uint8Array, type = ''): LanguageModelV3FilePart {
  return { type: 'file', data, mediaType: typeOfContent(data) ?? (type || 'image/*') }
}

/** Detects the media type of an image by its first bytes. */
function typeOfContent(data: string | Uint8Array): string | undefined {
  const start = typeof data === 'string' ? Buffer.from(data.slice(0, 16), 'base64') : Buffer.from(data.slice(0, 12))
  const text = start.toString('latin1')
  return SIGNATURES.find(([offset, signature]) => text.startsWith(signature, offset))?.[2]
}

const SIGNATURES = [
  [0, '\x89PNG', 'image/png'],
  [0, '\xff\xd8', 'image/jpeg'],
  [0, 'GIF', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [0, 'BM', 'image/bmp'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypheic', 'image/heic'],
] as const

function parseBase64(text: string): string {
  const data = text.replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data
  throw new NoAnswer('bad-prompt', 'an image of the input is not valid base64')
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const MEDIA_TYPES = [
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.bmp', 'image/bmp'],
  ['.svg', 'image/svg+xml'],
] as const
