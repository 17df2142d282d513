import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { UserError } from '../../src/model/user-error.ts'
import { writeReportFolder } from '../../src/operations/write-reports.ts'
import type { Reporter, ReportFile } from '../../src/report/reporter.ts'
import { folderWith } from '../support/program.ts'
import { runOf } from '../support/recorded-run.ts'

const reporter = (render: () => Iterable<ReportFile>): Reporter => ({
  type: 'parts',
  summary: '',
  folder: 'iteration',
  render,
})
const PARTS = reporter(() => [
  { path: 'a.json', text: ['1', '2'] },
  { path: 'deep/er/b.md', text: [] },
])
const write = (parent: string, parts = PARTS) => writeReportFolder(parts, runOf([]), {}, parent, nodeHost())

describe('writeReportFolder', () => {
  it('creates a numbered folder and its parents', async () => {
    const parent = join(folderWith(), 'new/er')
    expect(await write(parent)).toBe(join(parent, 'iteration-1'))
    expect(readFileSync(join(parent, 'iteration-1/a.json'), 'utf8')).toBe('12')
    expect(readFileSync(join(parent, 'iteration-1/deep/er/b.md'), 'utf8')).toBe('')
  })

  it('uses the next free number and never overwrites a report', async () => {
    const parent = folderWith({
      'iteration-1/a.json': 'old',
      'iteration-07/x': '',
      'iteration-8': 'a file',
      'iteration-99999999999999999999/x': '',
      'iteration-x/x': '',
      'iteration-': '',
      'other-20/x': '',
    })
    const before = readdirSync(parent)
    await write(parent)
    await write(parent)
    expect(readdirSync(parent).filter(name => !before.includes(name))).toEqual(['iteration-10', 'iteration-9'])
    expect(readFileSync(join(parent, 'iteration-1/a.json'), 'utf8')).toBe('old')
  })

  it('gives concurrent reports separate folders', async () => {
    const parent = folderWith()
    await Promise.all([write(parent), write(parent), write(parent)])
    expect(readdirSync(parent).sort()).toEqual(['iteration-1', 'iteration-2', 'iteration-3'])
    for (const name of readdirSync(parent)) expect(readdirSync(join(parent, name)).sort()).toEqual(['a.json', 'deep'])
  })

  it('creates no folder for a report without files', async () => {
    const parent = join(folderWith(), 'new')
    const empty = reporter(() => [])
    expect(await write(parent, empty)).toBe(undefined)
    expect(existsSync(parent)).toBe(false)
  })

  it('removes a folder whose report failed', async () => {
    const parent = folderWith({ 'iteration-1/a.json': 'old' })
    const broken = reporter(function* () {
      yield { path: 'a.json', text: ['1'] }
      throw new Error('no more')
    })
    await expect(write(parent, broken)).rejects.toThrow('no more')
    expect(readdirSync(parent)).toEqual(['iteration-1'])
  })

  it('throws a UserError if it cannot write', async () => {
    const folder = folderWith({ file: '' })
    await expect(write(join(folder, 'file'))).rejects.toThrow(UserError)
    const conflicting = reporter(() => [
      { path: 'a', text: ['1'] },
      { path: 'a/b', text: ['2'] },
    ])
    await expect(write(folder, conflicting)).rejects.toThrow(/^Cannot write .*: E/)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it.skipIf(process.getuid?.() === 0)('throws if it has no write permission', async () => {
    const folder = folderWith({ 'closed/x': '' })
    chmodSync(join(folder, 'closed'), 0o500)
    await expect(write(join(folder, 'closed'))).rejects.toThrow(/^Cannot write .*EACCES/)
  })
})
