import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draftPath } from '../../src/host/files/write-files.ts'
import { nodeHost } from '../../src/host/node.ts'
import { folderWith } from '../support/program.ts'

const host = nodeHost()

/** A folder with a pipe without a writer, a link to a file and a dangling link. */
function hostileFolder(): Record<'folder' | 'pipe' | 'link' | 'dangling' | 'kept', string> {
  const folder = folderWith({ 'kept.txt': 'kept\n' })
  const [pipe = '', link = '', dangling = '', kept = ''] = ['pipe', 'link', 'dangling', 'kept.txt'].map(name =>
    join(folder, name),
  )
  execFileSync('mkfifo', [pipe])
  symlinkSync(kept, link)
  symlinkSync(join(folder, 'nowhere'), dangling)
  return { folder, pipe, link, dangling, kept }
}

async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const { text } of host.files.readLines(path)) lines.push(text)
  return lines
}

describe('a pipe or a device', () => {
  it.each<[how: string, read: (path: string) => Promise<unknown>]>([
    ['all at once', path => host.files.read(path)],
    ['from its beginning', path => host.files.read(path, 10)],
    ['by lines', linesOf],
    ['in parts', async path => host.files.openRead(path).readAt(0, 4)],
    ['to add to it', path => host.files.openAppend(path)],
    ['as a lock', path => host.locks.take(path)],
  ])('that is opened %s is rejected without waiting', async (_, read) => {
    const { pipe } = hostileFolder()
    await expect(read(pipe)).rejects.toThrow(`${pipe} is not a regular file`)
    await expect(read('/dev/zero')).rejects.toThrow('/dev/zero is not a regular file')
  })
})

describe('a link', () => {
  it('is followed for reading', async () => {
    const { link } = hostileFolder()
    expect(String(await host.files.read(link))).toBe('kept\n')
    expect(await linesOf(link)).toEqual(['kept'])
  })

  it('is not followed for appending', async () => {
    const { link, dangling, kept, folder } = hostileFolder()
    for (const path of [link, dangling])
      await expect(host.files.openAppend(path)).rejects.toThrow(`${path} is a symbolic link, not a regular file`)
    expect(readFileSync(kept, 'utf8')).toBe('kept\n')
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  })

  it('in place of a lock is rejected, even if it is dangling', async () => {
    const { link, dangling } = hostileFolder()
    for (const path of [link, dangling])
      await expect(host.locks.take(path)).rejects.toThrow(`${path} is a symbolic link, not a regular file`)
    expect(readlinkSync(dangling)).toMatch(/nowhere$/)
  })

  it('under the name of a draft is replaced, not followed', async () => {
    const { folder, kept } = hostileFolder()
    const path = join(folder, 'written.txt')
    await host.files.write(path, 'first')
    // Drafts have consecutive numbers.
    const [, beginning = '', last = ''] = /^(.*\.)(\d+)\.tmp$/.exec(draftPath(path)) ?? []
    const drafts = [1, 2, 3].map(more => `${beginning}${Number(last) + more}.tmp`)
    for (const draft of drafts) symlinkSync(kept, draft)
    const lockDrafts = drafts.map(draft => draft.replace(path, `${path}.lock`))
    for (const draft of lockDrafts) symlinkSync(kept, draft)
    await host.files.write(path, 'second')
    expect(await host.locks.take(`${path}.lock`)).toHaveProperty('release')
    expect([readFileSync(path, 'utf8'), readFileSync(kept, 'utf8')]).toEqual(['second', 'kept\n'])
  })
})

describe('a folder', () => {
  it('in place of a file is rejected with EISDIR', async () => {
    const folder = folderWith()
    for (const read of [() => host.files.read(folder), () => linesOf(folder), () => host.files.openAppend(folder)])
      await expect(read()).rejects.toMatchObject({ code: 'EISDIR' })
    const removed = join(folder, 'deep')
    mkdirSync(removed)
    rmSync(removed, { recursive: true })
    await expect(host.files.read(removed)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
