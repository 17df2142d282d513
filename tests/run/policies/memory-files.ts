import type { Host } from '../../../src/model/host.ts'
import type { HostFiles } from '../../../src/model/host-files.ts'

/** In-memory files and locks that several hosts can share; every call is asynchronous, as on a disk. */
export function memoryFiles(files = new Map<string, string>()): Pick<Host, 'files' | 'locks'> {
  const taken = new Set<string>()
  return {
    files: {
      makeFolder: async () => true,
      stat: async path => {
        const text = files.get(path)
        return text === undefined ? undefined : { kind: 'file', size: text.length, executable: false }
      },
      read: async path => new TextEncoder().encode(files.get(path) ?? ''),
      write: async (path, text) => {
        files.set(path, String(text))
      },
    } satisfies Partial<HostFiles> as unknown as HostFiles,
    locks: {
      take: async path => {
        if (taken.has(path)) return { holder: 'another process' }
        taken.add(path)
        return { release: async () => void taken.delete(path) }
      },
      holder: async path => (taken.has(path) ? 'another process' : undefined),
    },
  }
}
