import { basename, join } from 'node:path'
import { canonicalType } from '../../evaluators/lookup.ts'
import { foldersUpTo } from '../../model/repository-root.ts'
import type { Files } from '../files.ts'

/** Files of custom judges, by type. */
export type JudgeFiles = ReadonlyMap<string, string>

const FOLDERS = ['.assay/judges', '.agentv/judges']
const ENDINGS = ['.mjs', '.js', '.py', '.sh', '.ts']

/** Finds the custom judges of a suite, up to the repository root. The nearest one of a type wins. */
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
  const names = (await files.host.files.listNames(folder)).filter(name => !name.startsWith('.'))
  const paths = names.map(name => join(folder, name))
  const byEnding = [...ENDINGS, undefined].flatMap(ending => paths.filter(path => endingOf(path) === ending))
  for (const path of byEnding) {
    const ending = endingOf(path)
    const type = canonicalType(basename(path, ending))
    if (found.has(type) || !(await isJudge(path, ending, files))) continue
    found.set(type, path)
  }
}

function endingOf(path: string): string | undefined {
  return ENDINGS.find(ending => path.endsWith(ending))
}

/** Whether a file has a known extension, or is an executable without one. */
async function isJudge(path: string, ending: string | undefined, files: Files): Promise<boolean> {
  const stat = await files.stat(path)
  if (stat?.kind !== 'file') return false
  return ending !== undefined || (!basename(path).includes('.') && stat.executable)
}
