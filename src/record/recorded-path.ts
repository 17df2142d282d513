import { relative, sep } from 'node:path'

/** A path as records show it: from the root, with `/`; one outside as it is. */
export function recordedPath(file: string, root: string): string {
  const path = relative(root, file)
  return path.startsWith('..') ? file : path.replaceAll(sep, '/')
}
