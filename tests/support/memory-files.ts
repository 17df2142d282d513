import type { Host } from '../../src/model/host.ts'

/** Files and locks in memory, which several hosts may share: each call takes a turn, as on a disk. */
export function memoryFiles(
  files = new Map<string, string>(),
): Pick<Host, 'stat' | 'readBytes' | 'write' | 'lock' | 'makeFolder'> {
  const locks = new Set<string>()
  return {
    makeFolder: async () => true,
    stat: async path => {
      const text = files.get(path)
      return text === undefined ? undefined : { kind: 'file', size: text.length, executable: false }
    },
    readBytes: async path => new TextEncoder().encode(files.get(path) ?? ''),
    write: async (path, text) => {
      files.set(path, String(text))
    },
    lock: async path => {
      if (locks.has(path)) return { holder: 'another process' }
      locks.add(path)
      return { release: async () => void locks.delete(path) }
    },
  }
}
