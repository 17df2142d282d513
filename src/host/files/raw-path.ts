import { isUtf8 } from 'node:buffer'

/** A path, as bytes if a name on it is not UTF-8. */
export type RawPath = string | Buffer

/** A name in a folder, as bytes if it is not UTF-8. */
export type FileName = string | Buffer

export function nameOf(name: Buffer): FileName {
  return isUtf8(name) ? name.toString() : name
}

export function below(folder: RawPath, name: FileName): RawPath {
  if (typeof folder === 'string' && typeof name === 'string') return `${folder}/${name}`
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name)])
}

/** A path relative to a folder as text. Bytes that are not UTF-8 are escaped: `caf\xe9`. */
export function shownPath(path: RawPath, root: string): string {
  if (typeof path === 'string') return path.slice(root.length + 1)
  const names: string[] = []
  const relative = path.subarray(Buffer.byteLength(root) + 1)
  for (let start = 0; start <= relative.length; ) {
    const slash = relative.indexOf('/', start)
    const end = slash < 0 ? relative.length : slash
    names.push(shownName(relative.subarray(start, end)))
    start = end + 1
  }
  return names.join('/')
}

function shownName(name: Buffer): string {
  if (isUtf8(name)) return name.toString()
  return Array.from(name, byte => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('')
}
