import { basename, dirname, join, relative } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { CASE_FILES } from './find-cases.ts'
import { findPluginFolder } from './plugin-folder.ts'

/** The name of the folder of evals, unless a manifest names another. */
const EVALS = 'evals'

/** Whether a file makes its folder a case of plugin evals. */
export function isCaseFile(file: string): boolean {
  return CASE_FILES.includes(basename(file))
}

interface EvalsSearch {
  readonly host: Host
  /** The folder that was searched. */
  readonly start: string
  /** Whether the folder may be an evals folder under another name, if nothing else is found in it. */
  readonly canBeEvals: boolean
}

/**
 * Finds the evals folders of the cases among the files that were found below a folder. Throws `UserError` for cases
 * whose evals folder is above that folder: a case cannot run without its suite.
 */
export async function findEvals(
  found: readonly string[],
  { host, start, canBeEvals }: EvalsSearch,
): Promise<readonly string[]> {
  const caseFiles = found.filter(isCaseFile)
  if (caseFiles.length === 0) return []
  const others = found.filter(file => !isCaseFile(file))
  const { folders, homeless } = await groupCases(new Set(caseFiles.map(file => dirname(file))), host)
  const suites: string[] = []
  for (const { folder, has_plugin, cases } of folders) {
    const isAlone = has_plugin && !others.some(file => isBelow(file, folder))
    if (!isAlone && !(await hasGraders(cases, host))) continue
    if (!isBelow(folder, start)) throw partOfSuite(cases, folder, host)
    suites.push(folder)
  }
  if (!canBeEvals || suites.length > 0 || others.length > 0 || homeless.includes(start)) return suites
  return (await hasGraders(homeless, host)) ? [start] : []
}

/** Throws `UserError` if a file belongs to a case. */
export async function rejectCaseFile(file: string, host: Host): Promise<void> {
  const evals = isCaseFile(file) ? await evalsOf(dirname(file), host) : undefined
  if (evals) throw partOfSuite([dirname(file)], evals.folder, host)
}

function partOfSuite(cases: readonly string[], evals: string, { cwd }: Host): UserError {
  const [first = ''] = cases
  const shown = (path: string) => relative(cwd, path) || '.'
  return new UserError(
    `${shown(first)} is a case of the evals in ${shown(evals)}, not a suite.`,
    `hint: name the folder of the evals, and the case with --test-id: ${shown(evals)} --test-id ${basename(first)}`,
  )
}

async function groupCases(cases: Iterable<string>, host: Host) {
  const folders = new Map<string, EvalsFolder & { readonly cases: string[] }>()
  const homeless: string[] = []
  for (const folder of cases) {
    const evals = await evalsOf(folder, host)
    if (!evals) {
      homeless.push(folder)
      continue
    }
    const known = folders.get(evals.folder) ?? { ...evals, cases: [] }
    folders.set(evals.folder, known)
    known.cases.push(folder)
  }
  return { folders: folders.values(), homeless }
}

interface EvalsFolder {
  readonly folder: string
  readonly has_plugin: boolean
}

/** Finds the evals folder of a case: that of the nearest plugin, else the nearest folder of the usual name. */
async function evalsOf(caseFolder: string, host: Host): Promise<EvalsFolder | undefined> {
  const plugin = await findPluginFolder(dirname(caseFolder), host)
  if (plugin && isBelow(caseFolder, plugin.evals)) return { folder: plugin.evals, has_plugin: true }
  for (let folder = dirname(caseFolder); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === plugin?.folder) return undefined
    const isNamed = basename(folder) === EVALS
    if (isNamed) return dirname(folder) === plugin?.folder ? undefined : { folder, has_plugin: false }
  }
  return undefined
}

/** Whether one of the folders can only be a case: other tools have files named `prompt.md` too. */
async function hasGraders(folders: readonly string[], { files }: Host): Promise<boolean> {
  for (const folder of folders) {
    for (const name of ['graders', 'case.yaml'])
      if (await files.stat(join(folder, name)).catch(() => undefined)) return true
  }
  return false
}
