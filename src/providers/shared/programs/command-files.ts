import { basename, resolve } from 'node:path'
import { PLACEHOLDER } from '../placeholders.ts'

/** Finds the paths that a command may refer to: programs, scripts, prompts, configuration. They need not exist. */
export function commandFiles(command: readonly string[] | string, folder: string): string[] {
  const words = commandWords(command)
  const names = words.flatMap(word => [word, word.slice(word.indexOf('=') + 1)]).filter(isPath)
  const folders = [folder, ...cdFolders(words).map(name => resolve(folder, name))]
  const modules = words.filter((_, index) => words[index - 1] === '-m').flatMap(pythonFiles)
  const all = [...new Set([...names.flatMap(withEntries), ...modules])]
  return folders.flatMap(from => all.map(name => resolve(from, name.replace(/^\$\{?PWD\}?\//, ''))))
}

/** The words of a command, including those of a command line in it. */
export function commandWords(command: readonly string[] | string): string[] {
  return typeof command === 'string' ? shellWords(command) : listWords(command)
}

/** The files that `node agent` or `python3 agent` may run: `agent` can be a folder, or a script without its extension. */
function withEntries(name: string): string[] {
  return [name, `${name}.js`, `${name}/index.js`, `${name}/index.mjs`, `${name}/package.json`, `${name}/__main__.py`]
}

/** The files of a module that `python3 -m` may run. */
function pythonFiles(module: string): string[] {
  const path = module.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]
}

/** The folders that a command line enters with `cd`. */
function cdFolders(words: readonly string[]): string[] {
  return words.filter((_, index) => words[index - 1] === 'cd').filter(isPath)
}

const SHELL = /^(?:ba|da|z|k)?sh$/

/** The words of a command list, including those of a command line for a shell in it. */
function listWords(command: readonly string[]): string[] {
  const [program = '', ...args] = command
  if (!SHELL.test(basename(program))) return [...command]
  const line = args.findIndex(arg => /^-\w*c$/.test(arg)) + 1
  return line === 0 ? [...command] : [...command, ...shellWords(args[line] ?? '')]
}

const BETWEEN_WORDS = /[\s'"`;|&()<>]+/
const QUOTED = /"([^"]*)"|'([^']*)'/g
const WRITTEN_TO = />\s*(?:"([^"]*)"|'([^']*)'|([^\s'"`;|&()<>]+))/g

/** Words and quoted parts of a command line, without files that it writes or tests: those change with its answers. */
function shellWords(line: string): string[] {
  const split = line.split(BETWEEN_WORDS)
  const other = new Set([...partsIn(line, WRITTEN_TO), ...split.filter((_, index) => isFlagFile(split, index))])
  return [...split, ...partsIn(line, QUOTED)].filter(word => !other.has(word))
}

const TESTS = ['[', '[[', 'test', '!']
const CHANGERS = ['touch', 'rm', 'tee', 'mkdir']

/** Whether a word is a file that is only tested, created or removed, as in `[ -e done ]`, `touch done` or `tee -a log`. */
function isFlagFile(words: readonly string[], index: number): boolean {
  const [before = '', last = ''] = [words[index - 2], words[index - 1]]
  const isOption = /^-\w$/.test(last)
  return CHANGERS.includes(last) || (isOption && (TESTS.includes(before) || CHANGERS.includes(before)))
}

function partsIn(line: string, pattern: RegExp): string[] {
  return [...line.matchAll(pattern)].map(([, ...groups]) => groups.find(group => group !== undefined) ?? '')
}

/** Whether a word can be a path: not too long, and without placeholders. */
function isPath(word: string): boolean {
  return word !== '' && word.length <= 4096 && !word.includes('\0') && word.search(PLACEHOLDER) === -1
}
