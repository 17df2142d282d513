import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { LogFolder } from '../../src/log/log-folder.ts'
import type { Host } from '../../src/model/host.ts'
import { runOf } from '../support/logs/log-files.ts'
import { folderWith } from '../support/program.ts'

const OTHERS = Array.from({ length: 2000 }, (_, index) => `other_${index}.yaml`)

/** Several `LogFolder`s on one folder with two thousand other logs. */
function crowded(count: number) {
  const path = folderWith()
  const calls = { listed: 0, read: 0 }
  const own = nodeHost()
  const host: Host = {
    ...own,
    files: {
      ...own.files,
      listNames: async folder => {
        if (folder !== path) return own.files.listNames(folder)
        calls.listed++
        return [...OTHERS, ...(await own.files.listNames(folder))]
      },
      read: (file, most) => {
        if (file.endsWith('.yaml')) calls.read++
        return own.files.read(file, most)
      },
    },
  }
  const folders = Array.from({ length: count }, () => new LogFolder(path, host, expect.unreachable))
  return { folders, calls }
}

describe('a folder of many logs', () => {
  it('is not listed for every run', async () => {
    const { folders, calls } = crowded(1)
    for (let index = 0; index < 50; index++) {
      const run = runOf(`Question ${'x'.repeat(index)}`)
      expect((await folders[0]?.add(run))?.run).toBe(1)
      expect((await folders[0]?.add(run))?.run).toBe(2)
    }
    expect(calls.listed).toBeLessThan(10)
  })

  it('is not read for every run if many names start alike', async () => {
    const { folders, calls } = crowded(1)
    const names = []
    for (let index = 0; index < 50; index++) names.push((await folders[0]?.add(runOf(`Hi${'!'.repeat(index)}`)))?.name)
    expect(names).toEqual(['hi', ...Array.from({ length: 49 }, (_, index) => `hi_${index + 2}`)])
    expect((await folders[0]?.add(runOf('Hi!!!')))?.name).toBe('hi_4')
    // Once before a log is written: another process may have created it.
    expect(calls.read).toBeLessThan(110)
  })

  it('is listed again when other processes write to it', async () => {
    const [one, other] = crowded(2).folders as [LogFolder, LogFolder]
    expect(await one.add(runOf('Hi!'))).toEqual({ name: 'hi', run: 1 })
    expect(await other.add(runOf('Hi?'))).toEqual({ name: 'hi_2', run: 1 })
    expect(await one.add(runOf('Hi?'))).toEqual({ name: 'hi_2', run: 2 })
    expect(await other.add(runOf('Hi.'))).toEqual({ name: 'hi_3', run: 1 })
    expect(await one.add(runOf('Hi;'))).toEqual({ name: 'hi_4', run: 1 })
    expect(await one.add(runOf('Hi.'))).toEqual({ name: 'hi_3', run: 2 })
    expect(await other.add(runOf('Hi;'))).toEqual({ name: 'hi_4', run: 2 })
  })
})
