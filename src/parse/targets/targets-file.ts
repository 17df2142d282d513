import { basename, dirname, join } from 'node:path'
import { lazily } from '../../lib/lazily.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { foldersUpTo } from '../../model/repository-root.ts'
import { targetsSchema } from '../../spec/targets.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { SETTINGS_FOLDERS, TARGETS_NAMES } from '../file-names.ts'
import type { Files } from '../files.ts'
import { isNonFolder } from '../find-files.ts'
import { checkShape } from '../shape/check-shape.ts'
import { reportLongIntegers } from '../shape/written-scalars.ts'
import { readDocument } from '../yaml/read-document.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { extendTargets, type RawTarget, type WrittenTarget } from './extend-targets.ts'

const writtenTargets = lazily(() => targetsSchema(z.any()))

export interface TargetsFile {
  readonly targets: readonly RawTarget[]
  readonly at: SourceNode
}

/** Reads a targets file and reports problems of the file as a whole. */
export async function readTargetsFile(
  file: string,
  files: Files,
  diagnostics: Diagnostics,
  /** Collects the diagnostics of one target. */
  diagnosticsOf: (index: number) => Diagnostics = () => diagnostics,
  /** Targets that a suite brings; those of the file replace them. */
  brought: readonly WrittenTarget[] = [],
): Promise<TargetsFile | undefined> {
  const source = await files.read(file)
  const document = source && readDocument(source, diagnostics)
  if (!document) return undefined
  const { value, at } = document
  if (value === undefined) {
    const hint = 'write the targets as a list under `targets:`'
    diagnostics.add({ code: 'wrong-type', at, message: 'this file is empty', hint })
    return undefined
  }
  if (Array.isArray(value)) {
    const hint = 'put the list under `targets:`'
    diagnostics.add({ code: 'wrong-type', at, message: 'a targets file must be a mapping, found a list', hint })
    return undefined
  }
  checkShape(writtenTargets(), value, at, diagnostics)
  const list = isMapping(value) && Array.isArray(value['targets']) ? value['targets'] : []
  const home = homeOf(file)
  const written = list.map((raw, index) => ({ raw, name: nameOf(raw), at: at.child('targets', index), home }))
  reportSameNames(written, diagnosticsOf)
  const names = new Set(written.map(({ name }) => name))
  const targets = extendTargets([...written, ...brought.filter(({ name }) => !names.has(name))], diagnosticsOf)
  for (const [index, target] of targets.entries()) reportLongIntegers(target.raw, target.at, diagnosticsOf(index))
  return { targets, at }
}

function nameOf(raw: unknown): string | undefined {
  return isMapping(raw) && typeof raw['name'] === 'string' ? raw['name'] : undefined
}

function reportSameNames(targets: readonly WrittenTarget[], diagnosticsOf: (index: number) => Diagnostics): void {
  const names = new Set<string>()
  for (const [index, { name, at }] of targets.entries()) {
    if (name === undefined) continue
    if (names.has(name)) {
      const message = `a target named ${quoteCode(name)} is already defined above`
      diagnosticsOf(index).add({
        code: 'duplicate-name',
        at: at.child('name'),
        message,
        hint: 'give each target its own name',
      })
    }
    names.add(name)
  }
}

/** Finds the nearest targets file, from a folder up to the repository root. */
export async function findTargetsFile(folder: string, files: Files): Promise<string | undefined> {
  const root = await files.root(folder)
  for (const home of foldersUpTo(root, folder)) {
    for (const settings of [...SETTINGS_FOLDERS, '']) {
      for (const name of TARGETS_NAMES) {
        const path = join(home, settings, name)
        if (isNonFolder(await files.stat(path))) return path
      }
    }
  }
  return undefined
}

/** Returns the folder that relative paths of a targets file start from: the one that contains `.assay`, or the file itself. */
export function homeOf(targetsFile: string): string {
  const folder = dirname(targetsFile)
  return SETTINGS_FOLDERS.includes(basename(folder)) ? dirname(folder) : folder
}
