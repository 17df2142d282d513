import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CodeCache } from '../../src/host/code-cache.ts'
import { YoungGeneration } from '../../src/host/young-generation.ts'
import { folderWith } from '../support/program.ts'

const MODULES = {
  'sum.cjs':
    "'use strict'\nexports.sum = require('./chunks/add.cjs').add(2, 3)\nexports.here = [__filename, __dirname]\n",
  'chunks/add.cjs': "'use strict'\nexports.add = (a, b) => a + b\nexports.join = require('node:path').join\n",
}

/** Loads a file as a new process does, and writes the cache. */
function loadIn(folder: string, name = 'sum.cjs', command = 'eval'): { exports: unknown; cache: CodeCache } {
  for (const file of ['sum.cjs', 'chunks/add.cjs']) delete createRequire(import.meta.url).cache[join(folder, file)]
  const cache = new CodeCache(folder, command, new YoungGeneration())
  const exports = cache.load(join(folder, name))
  cache.write()
  return { exports, cache }
}

/** The files of the cache that have code. */
function cachedIn(folder: string): string[] {
  const inside = join(folder, 'code-cache', `${process.version}-${process.platform}-${process.arch}`)
  const names = existsSync(inside) ? readdirSync(inside).filter(name => name !== 'eval' && name !== 'list') : []
  return names.map(name => join(inside, name))
}

/** Sets the time of all cached files far back, and returns those that were written since. */
function changesDuring(folder: string, action: () => void): string[] {
  const old = new Date(Date.parse('2030-01-01'))
  for (const file of cachedIn(folder)) utimesSync(file, old, old)
  action()
  return cachedIn(folder).filter(file => statSync(file).mtimeMs !== old.getTime())
}

describe('the code cache', () => {
  it('loads files with what they require, by path and by name', () => {
    const folder = folderWith(MODULES)
    const { exports } = loadIn(folder)
    expect(exports).toEqual({ sum: 5, here: [join(folder, 'sum.cjs'), folder] })
    expect(cachedIn(folder)).toHaveLength(2)
  })

  it('is used by the next process, which writes nothing', () => {
    const folder = folderWith(MODULES)
    loadIn(folder)
    expect(changesDuring(folder, () => expect(loadIn(folder).exports).toMatchObject({ sum: 5 }))).toEqual([])
  })

  it('is written again with all files that are loaded if one is new', () => {
    const folder = folderWith(MODULES)
    loadIn(folder, 'chunks/add.cjs')
    expect(changesDuring(folder, () => loadIn(folder))).toHaveLength(2)
  })

  it('is written again by another command, with the functions that were used before', () => {
    const filler = 'x'.repeat(5000)
    const source = `exports.first = () => '${filler}'.length\nexports.second = () => '${filler.toUpperCase()}'.length\n`
    const folder = folderWith({ 'sum.cjs': source })
    const cached = () => readFileSync(cachedIn(folder)[0] ?? '', 'latin1')
    const loadAndCall = (command: string, name: 'first' | 'second') => {
      delete createRequire(import.meta.url).cache[join(folder, 'sum.cjs')]
      const cache = new CodeCache(folder, command, new YoungGeneration())
      const exports = cache.load(join(folder, 'sum.cjs')) as Record<'first' | 'second', () => number>
      expect(exports[name]()).toBe(5000)
      cache.write()
    }
    loadAndCall('list', 'first')
    expect([cached().includes(filler), cached().includes(filler.toUpperCase())]).toEqual([true, false])
    loadAndCall('list', 'second')
    expect(cached()).not.toContain(filler.toUpperCase())
    loadAndCall('eval', 'second')
    expect([cached().includes(filler), cached().includes(filler.toUpperCase())]).toEqual([true, true])
  })

  it('is not used for a file that was changed since, even to one of the same length', () => {
    const folder = folderWith(MODULES)
    loadIn(folder)
    writeFileSync(join(folder, 'chunks/add.cjs'), MODULES['chunks/add.cjs'].replace('+', '*'))
    // Packages are installed with old times.
    const old = new Date(Date.parse('1985-10-26'))
    utimesSync(join(folder, 'chunks/add.cjs'), old, old)
    expect(loadIn(folder).exports).toMatchObject({ sum: 6 })
  })

  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (code: Buffer) => code.subarray(0, code.length / 2)],
    ['damaged', (code: Buffer) => Buffer.from(code.map((byte, at) => (at > 200 && at < 264 ? byte ^ 255 : byte)))],
    ['of something else', () => Buffer.from('assay'.repeat(1000))],
  ])('is replaced if it is %s', (_, change) => {
    const folder = folderWith(MODULES)
    loadIn(folder)
    for (const file of cachedIn(folder)) writeFileSync(file, change(readFileSync(file)))
    expect(changesDuring(folder, () => expect(loadIn(folder).exports).toMatchObject({ sum: 5 }))).toHaveLength(2)
    expect(changesDuring(folder, () => loadIn(folder))).toEqual([])
  })

  it('is left out where it cannot be written, and leaves nothing behind', () => {
    const folder = folderWith({ ...MODULES, 'code-cache': 'a file' })
    expect(loadIn(folder).exports).toMatchObject({ sum: 5 })
    const other = folderWith(MODULES)
    // A folder is where the file should be.
    mkdirSync(join(other, 'code-cache', `${process.version}-${process.platform}-${process.arch}`, 'sum.cjs.bin'), {
      recursive: true,
    })
    expect(loadIn(other).exports).toMatchObject({ sum: 5 })
    expect(cachedIn(other).filter(file => !file.endsWith('.bin'))).toEqual([])
  })

  it('gives files the modules of Node, also those that are loaded when they are used', () => {
    const folder = folderWith({
      'sum.cjs':
        "const { spawn } = require('node:child_process')\nconst crypto = require('node:crypto')\nexports.found = [typeof spawn, crypto.hash('sha1', ''), crypto.unknown]\n",
    })
    expect(loadIn(folder).exports).toEqual({
      found: ['function', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', undefined],
    })
  })

  it('shares modules with require, both ways', () => {
    const folder = folderWith(MODULES)
    const { exports, cache } = loadIn(folder)
    const require = createRequire(join(folder, 'index.js'))
    expect(require(join(folder, 'sum.cjs'))).toBe(exports)
    expect(cache.load(join(folder, 'sum.cjs'))).toBe(exports)
  })

  it('loads a file again that has thrown', () => {
    const folder = folderWith({
      'sum.cjs': 'globalThis.tries = (globalThis.tries ?? 0) + 1\nif (tries < 2) throw new Error("no")',
    })
    const cache = new CodeCache(folder, 'eval', new YoungGeneration())
    expect(() => cache.load(join(folder, 'sum.cjs'))).toThrow('no')
    expect(cache.load(join(folder, 'sum.cjs'))).toEqual({})
  })
})
