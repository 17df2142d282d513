import { basename, join } from 'node:path'
import { canonicalType } from '../evaluators/lookup.ts'
import { foldersUpTo } from '../model/repository-root.ts'
import type { Files } from './files.ts'

/** Judges of one's own: the file of each, by the type it stands for. */
export type JudgeFiles = ReadonlyMap<string, string>

const FOLDERS = ['.assay/judges', '.agentv/judges']
const ENDINGS = ['.mjs', '.js', '.py', '.sh', '.ts']

/** The judges that a suite can use: those nearest to its folder win, up to the repository root. */
export async function findJudgeFiles(folder: string, files: Files): Promise<JudgeFiles> {
  const root = await files.root(folder)
  const found = new Map<string, string>()
  for (const home of foldersUpTo(root, folder)) {
    for (const judges of FOLDERS) await collect(join(home, judges), files, found)
  }
  return found
}

async function collect(folder: string, files: Files, found: Map<string, string>): Promise<void> {
  if ((await files.stat(folder))?.kind !== 'folder') return
  const paths = await files.host.glob(['*'], { cwd: folder })
  const byEnding = [...ENDINGS, undefined].flatMap(ending => paths.filter(path => endingOf(path) === ending))
  for (const path of byEnding) {
    const ending = endingOf(path)
    const type = canonicalType(basename(path, ending))
    if (found.has(type) || (ending === undefined && !(await isProgram(path, files)))) continue
    found.set(type, path)
  }
}

function endingOf(path: string): string | undefined {
  return ENDINGS.find(ending => path.endsWith(ending))
}

async function isProgram(path: string, files: Files): Promise<boolean> {
  return !basename(path).includes('.') && (await files.stat(path))?.executable === true
}
