import { join } from 'node:path'
import type { Host } from './host.ts'

const found = new WeakMap<Host, Map<string, Promise<string | undefined>>>()

/** Where a program is installed, looked for once. */
export function onPath(name: string, host: Host, path = host.env['PATH'] ?? ''): Promise<string | undefined> {
  const known = found.get(host) ?? new Map<string, Promise<string | undefined>>()
  found.set(host, known)
  const key = JSON.stringify([name, path])
  const place = known.get(key) ?? findOnPath(name, path, host)
  known.set(key, place)
  return place
}

async function findOnPath(name: string, path: string, host: Host): Promise<string | undefined> {
  const folders = path.split(':').filter(folder => folder !== '')
  for (const folder of folders) {
    const file = join(folder, name)
    const stat = await host.files.stat(file).catch(() => undefined)
    if (stat?.kind === 'file' && stat.executable) return file
  }
  return undefined
}
