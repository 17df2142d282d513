import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import { fileNameOf } from './label-files.ts'
import { cannotRead } from './run-error.ts'

/** An answer that a person wrote or approved: it must pass its test. */
export interface GoldenAnswer {
  /** Absolute path. */
  readonly file: string
  readonly text: string
}

export interface GoldenAnswers {
  /** By the id of the test. */
  readonly of: ReadonlyMap<string, readonly GoldenAnswer[]>
  /** Paths of files that belong to no test. */
  readonly unmatched: readonly string[]
}

/**
 * Reads the golden answers of a suite: `golden/<suite>/<test id>.md` or `.txt` in the settings folder, or
 * `<test id>.1.md`, `<test id>.2.md` and so on. In file names, ids are written as in a URL if they have other characters.
 */
export async function readGoldenAnswers(
  settingsFolder: string,
  suite: string,
  ids: readonly string[],
  host: Host,
): Promise<GoldenAnswers> {
  const folder = join(settingsFolder, 'golden', fileNameOf(suite))
  const stat = await host.files.stat(folder).catch(cannotRead(folder))
  const names = stat?.kind === 'folder' ? await host.files.listNames(folder).catch(cannotRead(folder)) : []
  const known = new Map(ids.flatMap(id => [id, encodeURIComponent(id)].map(name => [name, id] as const)))
  const found = new Map<string, GoldenAnswer[]>()
  const unmatched: string[] = []
  for (const name of names.filter(each => /\.(md|txt)$/.test(each))) {
    const file = join(folder, name)
    const stem = name.replace(/\.(md|txt)$/, '')
    const id = known.get(stem) ?? known.get(stem.replace(/\.\d+$/, ''))
    if (id === undefined) unmatched.push(file)
    else found.set(id, [...(found.get(id) ?? []), { file, text: await readText(file, host) }])
  }
  return { of: found, unmatched }
}

async function readText(file: string, host: Host): Promise<string> {
  const bytes = await host.files.read(file).catch(cannotRead(file))
  // Editors end a file with a line break.
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '')
}
