import { isAbsolute, resolve } from 'node:path'
import type { CheckFiles } from '../../../model/check.ts'
import type { Host } from '../../../model/host.ts'

/** Where the files of a command are looked up. */
export interface JudgeLocations {
  /** The files that the loader found, by argument. */
  readonly files: CheckFiles
  /** The folders in which the judge is looked up, in this order. */
  readonly folders: readonly string[]
}

/** Makes the files of the loader and the judge absolute in a list. */
export async function resolveList(words: readonly string[], places: JudgeLocations, host: Host): Promise<string[]> {
  const judge = await findJudge(words, places, host)
  return words.map((word, index) => {
    // A first word with a leading `/` is a program of the machine, not a file of the repository.
    if (index === 0 && isAbsolute(word)) return word
    return places.files.get(word)?.path ?? judge.get(index) ?? word
  })
}

/** Words and operators of a shell line. */
const SHELL_TOKEN = /"(?:\\.|[^"\\])*"|'[^']*'|[^\s'"`;|&()<>]+|[`;|&()<>]|\n/gs

/** Makes the judge absolute in a shell line. */
export async function resolveLine(line: string, places: JudgeLocations, host: Host): Promise<string> {
  const tokens = [...line.matchAll(SHELL_TOKEN)]
  const words = tokens.map(({ 0: token, index }) => shellWord(token, line.slice(0, index), line.slice(index)))
  const judge = await findJudge(words, places, host)
  let located = ''
  let end = 0
  for (const [position, path] of judge) {
    const { 0: token = '', index = 0 } = tokens[position] ?? {}
    located += line.slice(end, index) + quoteForShell(path, host)
    end = index + token.length
  }
  return located + line.slice(end)
}

/** The word of a token; undefined for the end of a command, empty for part of a word or a redirection. */
function shellWord(token: string, before: string, from: string): string | undefined {
  if (/^[`;|&()\n]$/.test(token)) return undefined
  const isWhole = /(^|[\s;|&(])$/.test(before) && /^($|[\s;|&)<>])/.test(from.slice(token.length))
  if (!isWhole || /[<>]\s*$/.test(before)) return ''
  return /^["']/.test(token) ? token.slice(1, -1) : token
}

/** The paths of the judge, and of an interpreter next to the suite, by position. */
async function findJudge(
  words: readonly (string | undefined)[],
  { files, folders }: JudgeLocations,
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

function quoteForShell(path: string, { platform }: Host): string {
  if (/^[\w/.@%+,:-]+$/.test(path)) return path
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`
}

const INTERPRETER =
  /^(?:.*[/\\])?(?:python|pypy|node|nodejs|bun|deno|tsx|ts-node|uv|ruby|perl|php|lua|Rscript|julia|java|go|pwsh|(?:ba|da|z|k|fi)?sh)[\d.]*(?:\.exe)?$/

/** Interpreters with an option after which the judge is inline code or a module. */
const INLINE =
  /(?:(?:python|pypy)[\d.]* -[a-zA-Z]*[cm]|sh -[a-z]*c|(?:node|bun|ruby|perl|lua) (?:-[a-z]*[ep]|--eval|--print)|php -r)$/

/** Options whose value is a file other than the judge. */
const FILE_OPTION = /^(?:-r|--require|--import|--loader|--experimental-loader)$/

/**
 * The positions of words that may be the judge, in order: the program of each command, and the script after an
 * interpreter. Files after the first script are in the working folder of the judge.
 * An undefined word ends a command, as `;` does.
 */
function judgeCandidates(words: readonly (string | undefined)[]): number[] {
  const programs: number[] = []
  let isProgram = true
  for (const [index, word] of words.entries()) {
    if (isProgram && word !== undefined && looksLikePath(word)) programs.push(index)
    const script = word !== undefined && isInterpreter(word) ? scriptBehind(words, index) : undefined
    if (script !== undefined) return looksLikePath(words[script] ?? '') ? [...programs, script] : programs
    isProgram = word === undefined || (isProgram && /^\w+=/.test(word))
  }
  return programs
}

/** Whether a program runs the script after it. */
function isInterpreter(word: string): boolean {
  return INTERPRETER.test(word)
}

/** The position of the script of an interpreter; undefined without a script. */
function scriptBehind(words: readonly (string | undefined)[], at: number): number | undefined {
  const interpreter = words[at] ?? ''
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (word === undefined || isInterpreter(word)) return undefined
    if (INLINE.test(`${interpreter} ${word}`)) return index
    const before = words[index - 1] ?? ''
    const isValue = before.startsWith('-') && (FILE_OPTION.test(before) || !looksLikePath(word))
    if (!word.startsWith('-') && word !== 'run' && word !== '' && !isValue) return index
  }
  return undefined
}

/** Whether a word may be a relative path: it has a `/` or a file extension. */
function looksLikePath(word: string): boolean {
  if (isAbsolute(word) || /^-|[\0\n]|^[./]*$/.test(word) || word.length > 4096) return false
  return word.includes('/') || /[^.]\.\w+$/.test(word)
}
