import type { ImagePart } from 'ai'
import type { Host } from '../../../model/host.ts'
import type { Block } from '../../../model/message.ts'
import { NoAnswer } from '../../../model/no-answer.ts'

/** An image as models take it: its bytes, and their media type where that is said. */
export async function imagePart({ value, path }: Block & { type: 'image' }, host: Host): Promise<ImagePart> {
  if (path !== undefined) {
    const image = await host.files.read(path).catch((error: Error) => {
      throw new NoAnswer('bad-prompt', `an image of the input cannot be read: ${error.message}`)
    })
    return { type: 'image', image, ...mediaType(TYPES.find(([ending]) => path.toLowerCase().endsWith(ending))?.[1]) }
  }
  const [, type, encoding = '', data] = /^data:([^;,]*)([^,]*),(.*)$/is.exec(value) ?? []
  if (data === undefined) return { type: 'image', image: base64(value) }
  const isBase64 = /;base64$/i.test(encoding)
  const image = isBase64 ? base64(unescaped(data)) : new TextEncoder().encode(unescaped(data))
  return { type: 'image', image, ...mediaType(type) }
}

function base64(text: string): string {
  const data = text.replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data
  throw new NoAnswer('bad-prompt', 'an image of the input is not base64')
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const TYPES = [
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.bmp', 'image/bmp'],
  ['.svg', 'image/svg+xml'],
] as const

function mediaType(type: string | undefined): { mediaType?: string } {
  return type ? { mediaType: type } : {}
}
