import { relative, sep } from 'node:path'

/** Returns a path for records: relative to the root with `/`; outside of it, unchanged. */
export function recordedPath(file: string, root: string): string {
  const path = relative(root, file)
  return path.startsWith('..') ? file : path.replaceAll(sep, '/')
}

/** The same for many files, with a cache. */
export function recordedPathsFrom(root: string): (file: string) => string {
  const paths = new Map<string, string>()
  return file => {
    let path = paths.get(file)
    if (path === undefined) {
      path = recordedPath(file, root)
      paths.set(file, path)
    }
    return path
  }
}
