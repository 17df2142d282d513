import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readContent } from '../../../src/host/files/read-content.ts'
import { readTree } from '../../../src/host/files/read-tree.ts'
import { folderWith } from '../../support/program.ts'

describe('a folder tree', () => {
  it('has files and links, without `.git`, empty folders and pipes', async () => {
    const folder = folderWith({ 'a/b': 'b', '.env': '', 'a/.git/x': '', 'node_modules/x': '' })
    mkdirSync(join(folder, 'empty'))
    symlinkSync('/etc', join(folder, 'link'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const { files, links } = await readTree(folder)
    expect([...files.keys()].sort()).toEqual(['.env', 'a/b', 'node_modules/x'])
    expect([...links]).toEqual([['link', '/etc']])
  })

  it('is empty for a folder that is gone or was replaced by a link', async () => {
    const folder = folderWith({ 'a/x': 'x', 'b/x': 'x' })
    rmSync(join(folder, 'a'), { recursive: true })
    expect((await readTree(join(folder, 'a'))).files.size).toBe(0)
    symlinkSync('b', join(folder, 'a'))
    expect((await readTree(join(folder, 'a'))).files.size).toBe(0)
  })

  it('does not read what was replaced by a link, a pipe or a folder since, nor behind a replaced folder', async () => {
    const folder = folderWith({
      'w/file': 'x',
      'w/pipe': 'x',
      'w/folder': 'x',
      'w/in/secret': 'x',
      'out/secret': 'key',
    })
    const tree = await readTree(join(folder, 'w'))
    for (const name of ['file', 'pipe', 'folder', 'in']) rmSync(join(folder, 'w', name), { recursive: true })
    symlinkSync('../out/secret', join(folder, 'w/file'))
    execFileSync('mkfifo', [join(folder, 'w/pipe')])
    mkdirSync(join(folder, 'w/folder'))
    symlinkSync('../out', join(folder, 'w/in'))
    for (const name of ['file', 'pipe', 'folder', 'in/secret', 'none'])
      expect(await tree.read(name, 100)).toBeUndefined()
  })

  it('settles: the next write of each file changes its facts, even with the same size', async () => {
    for (let round = 0; round < 20; round++) {
      const folder = folderWith({ a: 'before' })
      const tree = await readTree(folder)
      expect(await tree.settle()).toEqual([])
      writeFileSync(join(folder, 'a'), 'behind')
      expect((await readTree(folder)).files.get('a')).not.toEqual(tree.files.get('a'))
    }
  })

  it('survives a folder that is swapped with a link while it is read', async () => {
    const folder = folderWith({ 'w/in/own': 'x', 'out/secret': 'key' })
    symlinkSync('../out', join(folder, 'w/link'))
    let isOn = true
    const swap = () => {
      if (!isOn) return
      renameSync(join(folder, 'w/in'), join(folder, 'w/other'))
      renameSync(join(folder, 'w/link'), join(folder, 'w/in'))
      renameSync(join(folder, 'w/in'), join(folder, 'w/link'))
      renameSync(join(folder, 'w/other'), join(folder, 'w/in'))
      setImmediate(swap)
    }
    swap()
    for (let round = 0; round < 200; round++) {
      const tree = await readTree(join(folder, 'w'))
      expect([...tree.files.keys()].filter(path => path.includes('secret'))).toEqual([])
    }
    isOn = false
  })
})

describe('the content of a file', () => {
  it('is hashed in parts, and kept only if it is small enough', async () => {
    const folder = folderWith({ large: 'x'.repeat(3_000_000) })
    const whole = await readContent(join(folder, 'large'), 3_000_000)
    const hashed = await readContent(join(folder, 'large'), 2_999_999)
    expect(whole?.bytes?.length).toBe(3_000_000)
    expect(hashed).toEqual({ ...whole, bytes: undefined })
  })
})
