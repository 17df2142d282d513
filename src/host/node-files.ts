import { mkdirSync, renameSync } from 'node:fs'
import type { HostFiles } from '../model/host-files.ts'
import { openAppendFile } from './files/append-file.ts'
import { copyFileTo, copyFolder } from './files/copy-folder.ts'
import { findBelow, findMatching } from './files/find-files.ts'
import { readContained } from './files/read-contained.ts'
import { readContent } from './files/read-content.ts'
import {
  fileFacts,
  openReadFile,
  readBeginning,
  readEntries,
  readLines,
  readLinkAt,
  readNames,
  realPathOf,
  statOf,
} from './files/read-files.ts'
import { readTree } from './files/read-tree.ts'
import { readRegularFile } from './files/regular-file.ts'
import {
  hasTemporaryFolder,
  keepTemporaryFolder,
  makeTemporaryFolder,
  remove,
  removeLeftovers,
  removeTemporaryFolder,
} from './files/temporary-folders.ts'
import { watchFolders } from './files/watch-folders.ts'
import { writeAtomically, writeNew } from './files/write-files.ts'

/** Files and folders as Node shows them. */
export const nodeFiles: HostFiles = {
  read: (path, most) => (most === undefined ? readRegularFile(path) : readBeginning(path, most)),
  readContained,
  stat: statOf,
  facts: fileFacts,
  realPath: realPathOf,
  readLink: readLinkAt,
  findBelow,
  glob: findMatching,
  listNames: readNames,
  listEntries: readEntries,
  readTree,
  readContent,
  writeNew,
  write: writeAtomically,
  openAppend: async path => openAppendFile(path),
  openRead: openReadFile,
  readLines,
  makeFolder: async path => mkdirSync(path, { recursive: true }) !== undefined,
  makeTemporaryFolder,
  keepTemporaryFolder: keepTemporaryFolder,
  copyFile: copyFileTo,
  copyFolder,
  rename: async (from, to) => renameSync(from, to),
  remove,
  removeLeftovers,
  hasTemporaryFolder: hasTemporaryFolder,
  removeTemporaryFolder: removeTemporaryFolder,
  watch: watchFolders,
}
