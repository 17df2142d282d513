import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draftPath } from '../../../src/host/files/write-files.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { folderWith } from '../../support/program.ts'

const host = nodeHost()
/** The id of a process that has ended. */
const DEAD = spawnSync(process.execPath, ['-e', '']).pid

describe('drafts', () => {
  it('of killed processes are removed, and nothing else', async () => {
    const ours = basename(draftPath('run.json'))
    const dead = ours.replace(`.${process.pid}.`, `.${DEAD}.`)
    const elsewhere = dead.replace(/\.[0-9a-f]{8}\./, '.01234567.')
    const running = ours.replace(`.${process.pid}.`, `.${process.ppid}.`)
    const others = ['run.json', 'notes.tmp', `x.${DEAD}.0.tmp`, `lock.${DEAD}`, ours, elsewhere, running]
    const folder = folderWith(Object.fromEntries([...others, dead, `lock${dead.slice(8)}`].map(name => [name, ''])))
    await host.files.removeLeftovers(folder)
    expect(readdirSync(folder).sort()).toEqual(others.sort())
  })

  it('in a folder that does not exist are ignored', async () => {
    await expect(host.files.removeLeftovers(join(folderWith(), 'nowhere'))).resolves.toBeUndefined()
  })
})

describe('temporary folders', () => {
  /** The temporary folder of a killed process. */
  function leftBy(pid: number, owner: object = { pid, host: hostname() }): string {
    const folder = join(tmpdir(), `assay-left${Math.trunc(performance.now() * 1000)}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'key.txt'), '')
    writeFileSync(`${folder}.owner`, JSON.stringify(owner))
    return folder
  }

  it('of killed processes are removed together with their owner files', async () => {
    const left = leftBy(DEAD)
    await host.files.removeLeftovers(folderWith())
    expect([existsSync(left), existsSync(`${left}.owner`)]).toEqual([false, false])
  })

  it('of running processes, of other machines and without an owner are kept', async () => {
    const folders = [leftBy(process.ppid), leftBy(DEAD, { pid: DEAD, host: 'elsewhere' }), leftBy(DEAD, {})]
    const mine = await host.files.makeTemporaryFolder()
    const kept = await host.files.makeTemporaryFolder()
    host.files.keepTemporaryFolder(kept)
    expect([existsSync(`${mine}.owner`), existsSync(`${kept}.owner`)]).toEqual([true, false])
    await host.files.removeLeftovers(folderWith())
    for (const folder of [...folders, mine, kept]) expect(existsSync(folder)).toBe(true)
    await host.files.remove(mine)
    expect(existsSync(`${mine}.owner`)).toBe(false)
    for (const folder of [...folders, kept]) await host.files.remove(folder)
  })

  it('that are links are removed without their targets', async () => {
    const victim = folderWith({ 'mine.txt': '' })
    const link = join(tmpdir(), `assay-link${process.pid}`)
    symlinkSync(victim, link)
    writeFileSync(`${link}.owner`, JSON.stringify({ pid: DEAD, host: hostname() }))
    await host.files.removeLeftovers(folderWith())
    expect(existsSync(join(victim, 'mine.txt'))).toBe(true)
    expect(existsSync(link)).toBe(true)
    await host.files.remove(link)
  })
})
