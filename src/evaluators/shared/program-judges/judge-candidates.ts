import { isAbsolute } from 'node:path'

const INTERPRETER =
  /^(?:.*[/\\])?(?:python|pypy|node|nodejs|bun|deno|tsx|ts-node|uv|ruby|perl|php|lua|Rscript|julia|java|go|pwsh|(?:ba|da|z|k|fi)?sh)[\d.]*(?:\.exe)?$/

/** Options after which the judge is code or a module in the command itself, each behind its interpreter. */
const INLINE =
  /(?:(?:python|pypy)[\d.]* -[a-zA-Z]*[cm]|sh -[a-z]*c|(?:node|bun|ruby|perl|lua) (?:-[a-z]*[ep]|--eval|--print)|php -r)$/

/** Options whose value is a file that is not the judge. */
const FILE_OPTION = /^(?:-r|--require|--import|--loader|--experimental-loader)$/

/**
 * The positions of the words that may be the judge, in order: the program of each command, and the script behind an
 * interpreter. Nothing behind the first script is one: later files belong to the folder in which the judge runs.
 * An undefined word ends a command, as `;` does.
 */
export function judgeCandidates(words: readonly (string | undefined)[]): number[] {
  const programs: number[] = []
  let isProgram = true
  for (const [index, word] of words.entries()) {
    if (isProgram && word !== undefined && isPath(word)) programs.push(index)
    const script = word !== undefined && isInterpreter(word) ? scriptBehind(words, index) : undefined
    if (script !== undefined) return isPath(words[script] ?? '') ? [...programs, script] : programs
    isProgram = word === undefined || (isProgram && /^\w+=/.test(word))
  }
  return programs
}

/** Whether a program runs the script that is named behind it. */
export function isInterpreter(word: string): boolean {
  return INTERPRETER.test(word)
}

/** The position of what an interpreter runs; undefined where its command has nothing like it. */
function scriptBehind(words: readonly (string | undefined)[], at: number): number | undefined {
  const interpreter = words[at] ?? ''
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (word === undefined || isInterpreter(word)) return undefined
    if (INLINE.test(`${interpreter} ${word}`)) return index
    const before = words[index - 1] ?? ''
    const isValue = before.startsWith('-') && (FILE_OPTION.test(before) || !isPath(word))
    if (!word.startsWith('-') && word !== 'run' && word !== '' && !isValue) return index
  }
  return undefined
}

/** Whether a word may be a relative path: it has a `/` or a file extension. */
function isPath(word: string): boolean {
  if (isAbsolute(word) || /^-|[\0\n]|^[./]*$/.test(word) || word.length > 4096) return false
  return word.includes('/') || /[^.]\.\w+$/.test(word)
}
