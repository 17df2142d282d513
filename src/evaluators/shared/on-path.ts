import { join } from 'node:path'
import type { Host } from '../../model/host.ts'

const found = new WeakMap<Host, Map<string, Promise<string | undefined>>>()

/** Where a program is installed, looked for once. */
export function onPath(name: string, host: Host): Promise<string | undefined> {
  const known = found.get(host) ?? new Map<string, Promise<string | undefined>>()
  found.set(host, known)
  const path = known.get(name) ?? findOnPath(name, host)
  known.set(name, path)
  return path
}

async function findOnPath(name: string, host: Host): Promise<string | undefined> {
  const folders = (host.env['PATH'] ?? '').split(':').filter(folder => folder !== '')
  for (const folder of folders) {
    const path = join(folder, name)
    const stat = await host.stat(path).catch(() => undefined)
    if (stat?.kind === 'file' && stat.executable) return path
  }
  return undefined
}
