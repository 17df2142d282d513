import { isAbsolute, resolve } from 'node:path'
import type { CheckFiles } from '../../../model/check.ts'
import type { Host } from '../../../model/host.ts'
import { isInterpreter, judgeCandidates } from './judge-candidates.ts'

/** Where the paths in a command may lead. */
export interface JudgePlaces {
  /** The files that the loader found, by the words that name them. */
  readonly files: CheckFiles
  /** The folders in which the judge is looked for, in this order. */
  readonly folders: readonly string[]
}

/** The words of a list with the files of the loader and the judge made absolute. */
export async function locatedList(words: readonly string[], places: JudgePlaces, host: Host): Promise<string[]> {
  const judge = await findJudge(words, places, host)
  return words.map((word, index) => {
    // A first word with a leading `/` is a program of the machine, whatever file of the repository has its name.
    if (index === 0 && isAbsolute(word)) return word
    return places.files.get(word)?.path ?? judge.get(index) ?? word
  })
}

/** Words of a line for the shell, in quotes or not, and the operators between them. */
const SHELL_TOKEN = /"(?:\\.|[^"\\])*"|'[^']*'|[^\s'"`;|&()<>]+|[`;|&()<>]|\n/gs

/** A line for the shell with its judge made absolute. */
export async function locatedLine(line: string, places: JudgePlaces, host: Host): Promise<string> {
  const tokens = [...line.matchAll(SHELL_TOKEN)]
  const words = tokens.map(({ 0: token, index }) => shellWord(token, line.slice(0, index), line.slice(index)))
  const judge = await findJudge(words, places, host)
  let located = ''
  let end = 0
  for (const [position, path] of judge) {
    const { 0: token = '', index = 0 } = tokens[position] ?? {}
    located += line.slice(end, index) + quoted(path, host)
    end = index + token.length
  }
  return located + line.slice(end)
}

/** The word of a token; undefined for what ends a command, empty for what is only a part of a word or is redirected. */
function shellWord(token: string, before: string, from: string): string | undefined {
  if (/^[`;|&()\n]$/.test(token)) return undefined
  const isWhole = /(^|[\s;|&(])$/.test(before) && /^($|[\s;|&)<>])/.test(from.slice(token.length))
  if (!isWhole || /[<>]\s*$/.test(before)) return ''
  return /^["']/.test(token) ? token.slice(1, -1) : token
}

/** The paths of the judge, and of an interpreter beside the suite, by their positions among the words. */
async function findJudge(
  words: readonly (string | undefined)[],
  { files, folders }: JudgePlaces,
  host: Host,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  for (const index of judgeCandidates(words)) {
    const word = words[index] ?? ''
    const path = files.get(word)?.path ?? (await fileIn(folders, word, host))
    if (path !== undefined) found.set(index, path)
    if (path !== undefined && !isInterpreter(word)) break
  }
  return found
}

async function fileIn(folders: readonly string[], word: string, host: Host): Promise<string | undefined> {
  for (const folder of folders) {
    const path = resolve(folder, word)
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat?.kind === 'file') return path
  }
  return undefined
}

function quoted(path: string, { platform }: Host): string {
  if (/^[\w/.@%+,:-]+$/.test(path)) return path
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`
}
