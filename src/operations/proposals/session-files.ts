import { join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import type * as z from '../../lib/zod.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'

/**
 * The folder of a session. Each file is written whole, and before what depends on it, so that a session that was killed
 * goes on where it was.
 */
export class SessionFiles {
  readonly path: string
  protected readonly host: Host

  constructor(path: string, host: Host) {
    this.path = path
    this.host = host
  }

  /** Locks the session. Throws if another process has it. */
  async lock(): Promise<() => Promise<void>> {
    await this.host.files.makeFolder(this.path)
    const lock = await this.host.locks.take(join(this.path, 'lock'))
    if ('release' in lock) return lock.release
    throw new UserError(
      `The same session is running already, in ${lock.holder}.`,
      `Wait for it. If that process has ended, remove ${join(this.path, 'lock')}.`,
    )
  }

  /** Removes everything but the lock. */
  async clear(): Promise<void> {
    for (const name of await this.host.files.listNames(this.path))
      if (name !== 'lock') await this.host.files.remove(join(this.path, name))
  }

  /** Undefined if the file does not exist. */
  protected async read<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema> | undefined> {
    const path = join(this.path, name)
    const bytes = await this.host.files.read(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw new UserError(`Cannot read ${path}: ${error.message}`)
    })
    if (bytes === undefined) return undefined
    const read = schema.safeParse(parseJson(new TextDecoder().decode(bytes)))
    if (read.success) return read.data
    throw new UserError(`${path} is damaged.`, 'Begin the session again with --fresh.')
  }

  protected async write(name: string, value: unknown): Promise<void> {
    const path = join(this.path, name)
    await this.host.files.write(path, `${JSON.stringify(value, null, 2)}\n`).catch((error: Error) => {
      throw new UserError(`Cannot write ${path}: ${error.message}`)
    })
  }
}
