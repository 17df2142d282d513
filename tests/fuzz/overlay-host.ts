import { isAbsolute, join, resolve } from 'node:path'
import { nodeHost } from '../../src/host/node.ts'
import type { Host } from '../../src/model/host.ts'
import { Random } from './random.ts'

/** The output of simulated programs. */
const PRINTED = [
  '',
  'Hello',
  '{"score": 1}',
  '{"score": 0.5, "hits": ["x"]}',
  '{"score": "high"}',
  '{"text": "x"}',
  '[]',
]

/** The exports of simulated user modules. */
const MODULES: readonly unknown[] = [{}, { default: null }, { default: {} }, { default: { type: 'x', answer: 1 } }]

/** A host that replaces some files of a folder, and runs, fetches, imports and writes nothing. */
export function overlayHost(folder: string, files: Readonly<Record<string, Uint8Array>>, salt: number): Host {
  const real = nodeHost(folder)
  const changed = new Map(Object.entries(files).map(([path, bytes]) => [join(folder, path), bytes]))
  const random = new Random(`host ${salt}`)
  const refuse = async () => {
    throw new Error('read-only host')
  }
  return {
    ...real,
    env: { OPENAI_API_KEY: 'sk-fuzz', HOME: folder },
    node_version: 'v20.19.0',
    files: {
      ...real.files,
      read: async (path, most) => changed.get(path)?.slice(0, most) ?? real.files.read(path, most),
      stat: async path => {
        const bytes = changed.get(path)
        return bytes ? { kind: 'file', size: bytes.length, executable: false } : real.files.stat(path)
      },
      // Patterns that lead outside the folder would search the whole disk.
      glob: async (patterns, options) => {
        const leadsOut = patterns.some(pattern => isAbsolute(pattern) || pattern.includes('..'))
        return leadsOut || !resolve(options.cwd).startsWith(folder) ? [] : real.files.glob(patterns, options)
      },
      write: refuse,
      writeNew: refuse,
      rename: refuse,
      copyFile: refuse,
      copyFolder: refuse,
    },
    processes: {
      ...real.processes,
      run: async () => {
        const code = random.pick([0, 0, 0, 1])
        return { code, signal: undefined, stdout: random.pick(PRINTED), stderr: '', tooLarge: false }
      },
      importModule: async () => random.pick(MODULES),
    },
    network: {
      ...real.network,
      request: async () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      },
    },
  }
}
