import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeLock } from '../../src/host/locks.ts'
import { folderWith } from '../support/program.ts'

describe('a lock', () => {
  it('is held until it is released, even within this process', async () => {
    const path = join(folderWith(), 'lock')
    const first = await takeLock(path)
    expect(await takeLock(path)).toEqual({ holder: `process ${process.pid}` })
    if ('release' in first) await first.release()
    expect(existsSync(path)).toBe(false)
    expect(await takeLock(path)).toHaveProperty('release')
  })

  it('is taken over from an earlier process with the same pid, as after a restart of a container', async () => {
    const left = JSON.stringify({ pid: process.pid, host: hostname(), nonce: 0.5 })
    const path = join(folderWith({ lock: left }), 'lock')
    expect(await takeLock(path)).toHaveProperty('release')
  })

  it('is not released after another process has removed and taken it', async () => {
    const path = join(folderWith(), 'lock')
    const first = await takeLock(path)
    const other = JSON.stringify({ pid: 1, host: 'elsewhere', nonce: 0.5 })
    writeFileSync(path, other)
    if ('release' in first) await first.release()
    expect(readFileSync(path, 'utf8')).toBe(other)
  })

  it('can be released after its file was removed', async () => {
    const path = join(folderWith(), 'lock')
    const first = await takeLock(path)
    rmSync(path)
    if ('release' in first) await first.release()
    expect(await takeLock(path)).toHaveProperty('release')
  })

  it('is taken over from a zombie process', async () => {
    // The shell is replaced by a program that does not reap its children.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const [printed] = await once(parent.stdout, 'data')
      const pid = Number(String(printed))
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), { timeout: 60_000 }).toContain(') Z ')
      const path = join(folderWith({ lock: JSON.stringify({ pid, host: hostname(), nonce: 0.5 }) }), 'lock')
      expect(await takeLock(path)).toHaveProperty('release')
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('is taken by only one of several callers in this process', async () => {
    const path = join(folderWith(), 'lock')
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)))
    expect(taken.filter(lock => 'release' in lock)).toHaveLength(1)
    expect(readdirSync(dirname(path))).toEqual(['lock'])
  })

  it('is never taken over from another machine', async () => {
    const path = join(folderWith(), 'lock')
    writeFileSync(path, JSON.stringify({ pid: 1, host: 'elsewhere', nonce: 0.5 }))
    expect(await takeLock(path)).toEqual({ holder: 'process 1 on elsewhere' })
  })
})
