import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { constants, Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import type { YoungGeneration } from './young-generation.ts'

/** A longer run does not write the cache: V8 has dropped the code that only its start needed. */
const MAX_SECONDS = 10

const CHECKSUM_BYTES = 4

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '\n})'] as const

/** Modules of Node that take a millisecond each, and that most commands do not use. */
const SLOW_MODULES = new Set(['node:child_process', 'node:crypto', 'node:fs/promises', 'node:readline'])

const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER

interface LoadedFile {
  /** The checksum of the source. */
  readonly source: number
  readonly script: Script
  readonly cached: string
}

/**
 * Loads our own files like `require`, with the code that V8 compiled in an earlier run. The cache is in the folder of the
 * program, so that it is as safe as the program. Where that folder is read-only, each run compiles again.
 */
export class CodeCache {
  readonly #folder: string
  /** A file that shows that the code of the command is cached. */
  readonly #mark: string
  readonly #require: NodeJS.Require
  readonly #young: YoungGeneration
  readonly #loaded: LoadedFile[] = []
  readonly #started = process.uptime()
  #isComplete = true

  /** `program` is the folder of the program. */
  constructor(program: string, command: string, young: YoungGeneration) {
    this.#young = young
    this.#folder = join(program, 'code-cache', `${process.version}-${process.platform}-${process.arch}`)
    this.#mark = join(this.#folder, command)
    this.#require = createRequire(join(program, 'index.js'))
  }

  /** Returns the exports of a file. */
  load(file: string): unknown {
    // Shared with `require`, so that an evaluator that imports the package gets the same classes.
    const { cache } = this.#require
    const known = cache[file]
    if (known) return known.exports
    const loaded = new Module(file)
    cache[file] = loaded
    try {
      const run = this.#compile(file).runInThisContext()
      run(loaded.exports, this.#requireFrom(file), loaded, file, dirname(file))
    } catch (error) {
      delete cache[file]
      throw error
    }
    loaded.loaded = true
    return loaded.exports
  }

  #requireFrom(file: string): (name: string) => unknown {
    return name => {
      if (name.startsWith('.')) return this.load(join(dirname(file), name))
      return SLOW_MODULES.has(name) ? onFirstUse(() => this.#require(name)) : this.#require(name)
    }
  }

  #compile(file: string): Script {
    const cached = join(this.#folder, `${basename(file)}.bin`)
    const content = readFileSync(file)
    const source = crc32(content)
    const cachedData = readCached(cached, source)
    // Our files have only ASCII characters.
    const code = WRAPPER.join(content.toString('latin1'))
    const options = { filename: file, ...(cachedData ? { cachedData } : {}), importModuleDynamically }
    const script = this.#young.withUsualFlags(() => new Script(code, options))
    if (!cachedData || script.cachedDataRejected) this.#isComplete = false
    this.#loaded.push({ source, script, cached })
    return script
  }

  /** Writes the compiled code of all loaded files, unless it is cached with all that the command uses. */
  write(): void {
    if (process.uptime() - this.#started > MAX_SECONDS) return
    if (this.#isComplete && existsSync(this.#mark)) return
    try {
      mkdirSync(this.#folder, { recursive: true })
      for (const { source, script, cached } of this.#loaded)
        writeWhole(
          cached,
          withChecksum(
            this.#young.withUsualFlags(() => script.createCachedData()),
            source,
          ),
        )
      writeFileSync(this.#mark, '')
    } catch {
      // The program works without it.
    }
  }
}

/** The compiled code of a source. V8 rejects what other versions and settings have made. */
function readCached(cached: string, source: number): Buffer | undefined {
  try {
    const content = readFileSync(cached)
    const code = content.subarray(0, -CHECKSUM_BYTES)
    return content.readUInt32LE(code.length) === crc32(code, source) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * Code followed by a checksum of its source and of itself: V8 checks only the length of the source, and damaged code
 * would crash or do something else.
 */
function withChecksum(code: Buffer, source: number): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(code, source))
  return Buffer.concat([code, checksum])
}

/** Writes a file that no other process sees unfinished. */
function writeWhole(file: string, content: Buffer): void {
  const unfinished = `${file}.${process.pid}`
  try {
    writeFileSync(unfinished, content)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** A module that is loaded when one of its exports is used. */
function onFirstUse(load: () => object): object {
  let module: object | undefined
  return new Proxy(
    {},
    {
      get(_, name) {
        module ??= load()
        return Reflect.get(module, name)
      },
    },
  )
}
