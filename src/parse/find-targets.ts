import { basename, dirname, join } from 'node:path'
import { foldersUpTo } from '../model/repository-root.ts'
import type { Files } from './files.ts'
import { isNoFolder, SETTINGS_FOLDERS, TARGETS_NAMES } from './find-files.ts'

/** The targets file of a suite: the nearest one from its folder up to the repository root. */
export async function findTargetsFile(folder: string, files: Files): Promise<string | undefined> {
  const root = await files.root(folder)
  for (const home of foldersUpTo(root, folder)) {
    for (const settings of [...SETTINGS_FOLDERS, '']) {
      for (const name of TARGETS_NAMES) {
        const path = join(home, settings, name)
        if (isNoFolder(await files.stat(path))) return path
      }
    }
  }
  return undefined
}

/** The folder that relative paths of a targets file start from: the one that holds `.assay`, or the file itself. */
export function homeOf(targetsFile: string): string {
  const folder = dirname(targetsFile)
  return SETTINGS_FOLDERS.includes(basename(folder)) ? dirname(folder) : folder
}
