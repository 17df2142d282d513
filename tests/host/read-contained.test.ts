import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { folderWith, run } from '../support/program.ts'

const { files } = nodeHost()

describe('reading a file inside of a folder', () => {
  it('reads files and links that stay inside, up to a size', async () => {
    const folder = folderWith({ 'a.txt': '12345', 'sub/b.txt': 'b' })
    symlinkSync('../a.txt', join(folder, 'sub/link'))
    const read = async (path: string, most = 5) => {
      const file = await files.readContained(folder, path, most)
      return 'bytes' in file ? Buffer.from(file.bytes).toString() : file.problem
    }
    expect(await Promise.all(['a.txt', 'sub/b.txt', 'sub/link'].map(path => read(path)))).toEqual([
      '12345',
      'b',
      '12345',
    ])
    expect(await read('a.txt', 4)).toBe('too-large')
    expect(await Promise.all(['none', 'a.txt/b', 'sub'].map(path => read(path)))).toEqual([
      'missing',
      'missing',
      'not-a-file',
    ])
  })

  it('reads nothing outside, and does not wait for a pipe', async () => {
    const outside = folderWith({ secret: 'secret' })
    const folder = folderWith()
    symlinkSync(join(outside, 'secret'), join(folder, 'link'))
    symlinkSync(outside, join(folder, 'sub'))
    symlinkSync('loop', join(folder, 'loop'))
    await run('mkfifo', ['pipe'], { cwd: folder })
    const paths = ['link', 'sub/secret', '../x', 'loop', 'pipe']
    const problems = await Promise.all(paths.map(path => files.readContained(folder, path, 100)))
    expect(problems.map(file => ('problem' in file ? file.problem : 'read'))).toEqual([
      'outside',
      'outside',
      'missing',
      'missing',
      'not-a-file',
    ])
  })

  it('never returns what is outside while a folder and a link are exchanged', async () => {
    const outside = folderWith({ 'f.txt': 'SECRET' })
    const folder = folderWith({ 'sub/f.txt': 'inside' })
    symlinkSync(outside, join(folder, 'link'))
    let isOver = false
    /** For a varying time, so that no step of a read always meets the same one. */
    const pause = async (turn: number) => {
      for (let left = turn % 4; left >= 0; left--) await new Promise(setImmediate)
    }
    const exchange = async () => {
      for (let turn = 0; !isOver; turn++) {
        renameSync(join(folder, 'sub'), join(folder, 'other'))
        renameSync(join(folder, 'link'), join(folder, 'sub'))
        await pause(turn)
        renameSync(join(folder, 'sub'), join(folder, 'link'))
        renameSync(join(folder, 'other'), join(folder, 'sub'))
        await pause(turn + 1)
      }
    }
    const exchanging = exchange()
    const found = new Set<string>()
    for (let round = 0; round < 500 || !found.has('inside'); round++) {
      const file = await files.readContained(folder, 'sub/f.txt', 100)
      found.add('bytes' in file ? Buffer.from(file.bytes).toString() : file.problem)
    }
    isOver = true
    await exchanging
    expect(found).not.toContain('SECRET')
  })
})
