import { basename, dirname, extname, relative, sep } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import { type MockServer, type MockTool, toolNameSchema } from '../../model/mock.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import { readRecordings } from './recordings.ts'
import { readToolFile, type ToolFile, toolOf } from './tool-file.ts'
import { type ListedTool, readToolList } from './tool-list.ts'

const SHARED = '_server.md'
const LIST = '_tools.json'

/** The files of a server: those of its folder, and its recorded calls. */
export interface ServerFiles {
  readonly own: readonly string[]
  readonly recordings: readonly string[]
}

/** Loads a server from its folder: a file for each tool, `_server.md`, `_tools.json`, and files that templates insert. */
export async function loadServerFolder(
  folder: string,
  { own, recordings: recorded }: ServerFiles,
  context: SuiteContext,
): Promise<MockServer | undefined> {
  const before = context.diagnostics.errors
  const direct = own.filter(path => dirname(path) === folder)
  const named = (name: string) => direct.find(path => basename(path) === name)
  const [listPath, sharedPath] = [named(LIST), named(SHARED)]
  const toolPaths = direct.filter(path => extname(path) === '.md' && path !== sharedPath)
  const files = await readTexts(
    folder,
    own.filter(path => path !== listPath && path !== sharedPath && !toolPaths.includes(path)),
    context,
  )
  const listed = listPath === undefined ? undefined : await readToolList(listPath, context)
  const recordings = await readRecordings(recorded, context)
  const isAnyRecorded = (tools: Iterable<string> = listed?.keys() ?? []) =>
    [...tools].some(name => recordings.has(name))
  const shared =
    sharedPath === undefined ? undefined : await readToolFile(sharedPath, { files, isRecorded: isAnyRecorded }, context)
  const toolFiles = new Map<string, ToolFile | undefined>()
  for (const path of toolPaths) {
    const name = basename(path, '.md')
    toolFiles.set(name, await readToolFile(path, { files, isRecorded: () => recordings.has(name) }, context))
  }
  for (const name of sharedTools(shared, listed, context)) if (!toolFiles.has(name)) toolFiles.set(name, shared)
  reportNames([...toolFiles.keys(), ...recordings.keys()], folder, context)
  if (context.diagnostics.errors > before) return undefined
  const names = new Set([...(listed?.keys() ?? []), ...toolFiles.keys(), ...recordings.keys()])
  const tools: Record<string, MockTool> = {}
  for (const name of names) tools[name] = toolOf(toolFiles.get(name), listed?.get(name), recordings.get(name))
  return { state: {}, tools, files }
}

async function readTexts(folder: string, paths: readonly string[], { files }: SuiteContext) {
  const texts: Record<string, string> = {}
  for (const path of paths) {
    const source = await files.read(path)
    if (source) texts[relative(folder, path).split(sep).join('/')] = source.text
  }
  return texts
}

/** The tools that `_server.md` answers: those that it lists, or all of `_tools.json`. */
function sharedTools(
  shared: ToolFile | undefined,
  listed: ReadonlyMap<string, ListedTool> | undefined,
  { diagnostics }: SuiteContext,
): Iterable<string> {
  if (!shared) return []
  if (shared.tools) return shared.tools
  if (listed) return listed.keys()
  const message = '`tools` is missing'
  const hint = 'list the names of the tools that this file answers, or add `_tools.json`'
  diagnostics.add({ code: 'missing-key', at: shared.at, message, hint })
  return []
}

function reportNames(names: readonly string[], folder: string, { diagnostics }: SuiteContext): void {
  for (const name of new Set(names)) {
    const problem = toolNameSchema().safeParse(name).error?.issues[0]?.message
    const at = { file: folder, line: 1, column: 1, length: 1 }
    if (problem !== undefined) diagnostics.add({ code: 'bad-mock', at, message: `${quoteCode(name)} ${problem}` })
  }
}
