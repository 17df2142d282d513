import fs, { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openAppendFile } from '../../../src/host/files/append-file.ts'
import { folderWith } from '../../support/program.ts'

const { fdatasync } = fs

/** Has the next background sync fail, as on a broken disk. The system reports such an error once. */
function failNextSync(): Promise<void> {
  return new Promise(failed => {
    const fail = (_: number, done: (error: Error | null) => void) => {
      restore()
      done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
      failed()
    }
    Object.assign(fs, { fdatasync: fail })
    syncBuiltinESMExports()
  })
}

function restore(): void {
  Object.assign(fs, { fdatasync })
  syncBuiltinESMExports()
}

afterEach(restore)

describe('after a sync that failed in the background', () => {
  it('appends nothing more', async () => {
    const path = join(folderWith(), 'lines.txt')
    const failed = failNextSync()
    const file = openAppendFile(path)
    file.append('one\n')
    await failed
    await new Promise(setImmediate)
    expect(() => file.append('two\n')).toThrow('EIO')
    expect(readFileSync(path, 'utf8')).toBe('one\n')
    await expect(file.close()).rejects.toThrow('EIO')
  })

  it('closes with the error, although the last sync succeeds', async () => {
    const failed = failNextSync()
    const file = openAppendFile(join(folderWith(), 'lines.txt'))
    file.append('one\n')
    await failed
    await expect(file.close()).rejects.toThrow('EIO')
  })
})
