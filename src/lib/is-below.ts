import { sep } from 'node:path'

/** Whether a path is that of a folder, or below it. */
export function isBelow(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
