import { relative, resolve } from 'node:path'
import type { Host } from '../model/host.ts'

/** A path for people: relative to the current folder. */
export function displayPath(file: string, { cwd }: Pick<Host, 'cwd'>): string {
  return relative(cwd, file) || '.'
}

/** Paths of records for people; records count from the root of their run. */
export function displayPathsFrom(root: string | undefined, host: Pick<Host, 'cwd'>): (file: string) => string {
  return file => (root === undefined ? file : displayPath(resolve(root, file), host))
}
