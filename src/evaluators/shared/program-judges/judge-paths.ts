import { isAbsolute, resolve } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { CheckFiles } from '../../evaluator.ts'

/** Where the paths in a command may lead. */
export interface JudgePlaces {
  /** The files that the loader found, by the words that name them. */
  readonly files: CheckFiles
  /** The folders in which other paths are looked for, in this order. */
  readonly folders: readonly string[]
  /** The folder in which the judge runs, where that is the agent's. */
  readonly workspace?: string | undefined
}

/** The words of a list with their paths made absolute. */
export async function locatedList(words: readonly string[], places: JudgePlaces, host: Host): Promise<string[]> {
  const finder = new PathFinder(places, host)
  const located: string[] = []
  for (const [index, word] of words.entries()) located.push((await finder.find(word, index)) ?? word)
  return located
}

/** Words of a line for the shell, in quotes or not. */
const SHELL_WORD = /"(?:\\.|[^"\\])*"|'[^']*'|[^\s'"`;|&()<>]+/gs

/** A line for the shell with its paths made absolute, but for those that it writes to. */
export async function locatedLine(line: string, places: JudgePlaces, host: Host): Promise<string> {
  const finder = new PathFinder(places, host)
  let located = ''
  let end = 0
  for (const { 0: word, index } of line.matchAll(SHELL_WORD)) {
    const before = line.slice(0, index)
    const isWhole = /(^|[\s;|&(<])$/.test(before) && /^($|[\s;|&)<>])/.test(line.slice(index + word.length))
    const isRead = isWhole && !/>\s*$/.test(before)
    const path = isRead ? await finder.find(unquoted(word), before.trim() === '' ? 0 : 1) : undefined
    located += line.slice(end, index) + (path === undefined ? word : quoted(path, host))
    end = index + word.length
  }
  return located + line.slice(end)
}

/** Finds what the words of one command name, from the first word to the last. */
class PathFinder {
  readonly #places: JudgePlaces
  readonly #host: Host
  /** The first file is the judge itself, which the workspace cannot replace. */
  #hasScript = false

  constructor(places: JudgePlaces, host: Host) {
    this.#places = places
    this.#host = host
  }

  async find(word: string, index: number): Promise<string | undefined> {
    // A first word with a leading `/` is a program of the machine, whatever file of the repository has its name.
    if (index === 0 && isAbsolute(word)) return undefined
    const known = this.#places.files.get(word)?.path
    const path = known ?? (isPath(word, index) ? await this.#search(word) : undefined)
    if (path !== undefined) this.#hasScript = true
    return path
  }

  async #search(word: string): Promise<string | undefined> {
    const { folders, workspace } = this.#places
    const isInWorkspace = workspace !== undefined && (await this.#kindOf(resolve(workspace, word))) !== undefined
    for (const folder of folders) {
      const path = resolve(folder, word)
      const kind = await this.#kindOf(path)
      if (kind === 'file' && (!this.#hasScript || !isInWorkspace)) return path
      if (kind === 'folder' && word.includes('/') && !isInWorkspace) return path
    }
    return undefined
  }

  async #kindOf(path: string): Promise<string | undefined> {
    return (await this.#host.stat(path).catch(() => undefined))?.kind
  }
}

/** Whether a word may be a relative path: it has a `/` or, after the program, a file extension. */
function isPath(word: string, index: number): boolean {
  if (isAbsolute(word) || /^-|[\0\n]|^[./]*$/.test(word) || word.length > 4096) return false
  return word.includes('/') || (index > 0 && /[^.]\.\w+$/.test(word))
}

function unquoted(word: string): string {
  return /^["']/.test(word) ? word.slice(1, -1) : word
}

function quoted(path: string, { platform }: Host): string {
  if (/^[\w/.@%+,:-]+$/.test(path)) return path
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`
}
