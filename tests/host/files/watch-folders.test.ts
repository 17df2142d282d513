import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import type { FolderWatch } from '../../../src/model/host-files.ts'
import { UserError } from '../../../src/model/user-error.ts'
import { folderWith, run } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

const open: FolderWatch[] = []
afterEach(() => {
  for (const watch of open.splice(0)) watch.close()
})

/** Watches folders and collects what is reported. */
function watched(...folders: string[]) {
  const changed: string[] = []
  const errors: Error[] = []
  const watch = nodeHost().files.watch(folders, {
    onChange: path => changed.push(path),
    onError: error => errors.push(error),
  })
  open.push(watch)
  return { watch, changed, errors }
}

function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 })
}

/** Longer than it takes until a change is reported. */
const LATER_MS = 600

describe('a watch on folders', () => {
  it('reports files that are edited, added and removed', async () => {
    const folder = folderWith({ 'a.txt': '1' })
    const { changed, errors } = watched(folder)
    writeFileSync(join(folder, 'a.txt'), '2')
    await until(() => expect(changed).toContain(join(folder, 'a.txt')))
    writeFileSync(join(folder, 'b.txt'), '1')
    await until(() => expect(changed).toContain(join(folder, 'b.txt')))
    changed.length = 0
    rmSync(join(folder, 'b.txt'))
    await until(() => expect(changed).toContain(join(folder, 'b.txt')))
    expect(errors).toEqual([])
  })

  it('reports every save of an editor that replaces the file', async () => {
    const folder = folderWith({ 'EVAL.yaml': '1' })
    const { changed } = watched(folder)
    for (const text of ['2', '3']) {
      changed.length = 0
      writeFileSync(join(folder, '.EVAL.yaml.swp'), text)
      renameSync(join(folder, '.EVAL.yaml.swp'), join(folder, 'EVAL.yaml'))
      await until(() => expect(changed).toContain(join(folder, 'EVAL.yaml')))
    }
  })

  it('reports nothing from folders below', async () => {
    const folder = folderWith({ 'inner/a.txt': '1' })
    const { changed } = watched(folder)
    writeFileSync(join(folder, 'inner/a.txt'), '2')
    await sleep(LATER_MS)
    expect(changed).toEqual([])
  })

  it('waits for a folder that does not exist', async () => {
    const folder = join(folderWith(), 'later')
    const { changed, errors } = watched(folder)
    await sleep(LATER_MS)
    expect(changed).toEqual([])
    mkdirSync(folder)
    await until(() => expect(changed).toEqual([folder]))
    writeFileSync(join(folder, 'a.txt'), '1')
    await until(() => expect(changed).toContain(join(folder, 'a.txt')))
    expect(errors).toEqual([])
  })

  it('follows a folder that is removed and comes back', async () => {
    const folder = folderWith()
    const { changed, errors } = watched(folder)
    for (const wait of [0, LATER_MS]) {
      rmSync(folder, { recursive: true })
      await sleep(wait)
      mkdirSync(folder)
      await until(() => expect(changed).toContain(folder))
      // The new folder is watched at the latest after the next look.
      await sleep(LATER_MS)
      changed.length = 0
      writeFileSync(join(folder, 'a.txt'), String(wait))
      await until(() => expect(changed).toContain(join(folder, 'a.txt')))
      changed.length = 0
    }
    expect(errors).toEqual([])
  })

  it('follows a folder that is replaced by another one', async () => {
    const parent = folderWith({ 'now/a.txt': '1', 'next/a.txt': '2' })
    const { changed } = watched(join(parent, 'now'))
    renameSync(join(parent, 'now'), join(parent, 'before'))
    renameSync(join(parent, 'next'), join(parent, 'now'))
    await until(() => expect(changed).toContain(join(parent, 'now')))
    await sleep(LATER_MS)
    changed.length = 0
    writeFileSync(join(parent, 'before/a.txt'), '3')
    writeFileSync(join(parent, 'now/a.txt'), '3')
    await until(() => expect(changed).toContain(join(parent, 'now/a.txt')))
  })

  it('follows a link to another folder', async () => {
    const parent = folderWith({ 'one/a.txt': '1', 'two/a.txt': '2' })
    const link = join(parent, 'link')
    symlinkSync('one', link)
    const { changed } = watched(link)
    symlinkSync('two', `${link}.new`)
    renameSync(`${link}.new`, link)
    await until(() => expect(changed).toEqual([link]))
    writeFileSync(join(parent, 'two/a.txt'), '3')
    await until(() => expect(changed).toContain(join(link, 'a.txt')))
  })

  it('watches a file of the name of its folder', async () => {
    const folder = join(folderWith({ 'same/same': '1' }), 'same')
    const { changed } = watched(folder)
    for (const text of ['2', '3']) {
      changed.length = 0
      writeFileSync(join(folder, 'same'), text)
      await until(() => expect(changed).toContain(join(folder, 'same')))
      await sleep(LATER_MS)
    }
  })

  it('does not watch a file in the place of a folder', async () => {
    const file = join(folderWith({ 'a.txt': '1' }), 'a.txt')
    const { changed, errors } = watched(file)
    writeFileSync(file, '2')
    await sleep(LATER_MS)
    expect([...changed, ...errors]).toEqual([])
  })

  it('changes the watched folders, and keeps those that remain', async () => {
    const [one, two, three] = [folderWith(), folderWith(), folderWith()]
    const { watch, changed } = watched(one, two, two)
    watch.update([two, three])
    for (const folder of [one, two, three]) writeFileSync(join(folder, 'a.txt'), '1')
    await until(() => {
      expect(changed).toContain(join(two, 'a.txt'))
      expect(changed).toContain(join(three, 'a.txt'))
    })
    expect(changed).not.toContain(join(one, 'a.txt'))
  })

  it('reports nothing after it is closed, even from a change before', async () => {
    const folder = folderWith()
    const { watch, changed } = watched(folder)
    writeFileSync(join(folder, 'a.txt'), '1')
    watch.close()
    watch.close()
    await sleep(LATER_MS)
    expect(changed).toEqual([])
  })

  it('reports a folder that it cannot look at once', async () => {
    const parent = folderWith()
    symlinkSync('loop', join(parent, 'loop'))
    const { errors } = watched(join(parent, 'loop'))
    await sleep(LATER_MS)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeInstanceOf(UserError)
    expect(errors[0]?.message).toContain(`Cannot watch ${join(parent, 'loop')}: ELOOP`)
  })

  it('names the limit to raise, and watches once there is room again', async () => {
    const folder = folderWith()
    const program = `
      import { closeSync, openSync, writeFileSync } from 'node:fs'
      import { watchFolders } from ${JSON.stringify(join(ROOT, 'src/host/files/watch-folders.ts'))}
      const files = []
      try { for (;;) files.push(openSync('/dev/null')) } catch {}
      const lines = []
      let timer
      const watch = watchFolders([${JSON.stringify(folder)}], {
        onChange: path => {
          lines.push(path)
          if (!path.endsWith('a.txt') || !timer) return
          clearInterval(timer)
          timer = undefined
          watch.close()
          console.log(lines.join('\\n'))
        },
        onError: error => {
          lines.push(error.message, error.advice)
          for (const file of files) closeSync(file)
          // Until it is seen: when the folder is watched again depends on the machine.
          timer = setInterval(() => writeFileSync(${JSON.stringify(join(folder, 'a.txt'))}, '1'), ${LATER_MS})
        },
      })`
    // Bundled: a loader of TypeScript has threads that close files at any time, which would make room for the watcher.
    const script = join(folderWith(), 'watch.mjs')
    const source = { contents: program, resolveDir: ROOT, loader: 'ts' } as const
    await build({ stdin: source, outfile: script, bundle: true, platform: 'node', format: 'esm' })
    const limited = `ulimit -n 100; exec "$0" "$1"`
    const { stdout, stderr } = await run('bash', ['-c', limited, process.execPath, script], { cwd: ROOT })
    expect(stderr).toBe('')
    const [message, advice, ...paths] = stdout.trim().split('\n')
    expect(message).toContain(`Cannot watch ${folder}: EMFILE`)
    expect(advice).toContain('ulimit -n')
    expect(paths).toContain(join(folder, 'a.txt'))
  })
})
