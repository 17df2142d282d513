import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { renderText } from '../../src/diagnostics/render/text.ts'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { findCheckable } from '../../src/parse/find-files.ts'
import { type Loaded, loadFiles } from '../../src/parse/load-files.ts'
import { providers } from '../../src/providers/index.ts'
import { targetTypes } from '../../src/spec/targets.ts'

const CORPUS = join(import.meta.dirname, '../corpus')

// Outside any repository, so that each case is a root of its own.
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'assay-corpus-')))
cpSync(CORPUS, copy, { recursive: true })

export interface Case {
  readonly name: string
  /** The committed folder, where the golden file is. */
  readonly source: string
  /** The copy that is loaded. */
  readonly folder: string
}

/** A case is a folder of files; `args.txt` in it says what to validate, by default the folder. */
export function casesIn(kind: 'valid' | 'invalid'): Case[] {
  return readdirSync(join(CORPUS, kind))
    .sort()
    .map(name => ({ name, source: join(CORPUS, kind, name), folder: join(copy, kind, name) }))
}

export async function loadCase({ folder }: Case): Promise<Loaded> {
  const host = nodeHost(folder)
  const argsFile = join(folder, 'args.txt')
  const args = existsSync(argsFile) ? readFileSync(argsFile, 'utf8').trim().split('\n') : ['.']
  const files = await findCheckable(args, host)
  return loadFiles(files, { host, evaluators, targetTypes: targetTypes(providers) })
}

/** What `assay validate` prints in the folder of the case, with the folder's own path left out. */
export function diagnosticsText({ folder }: Case, { diagnostics }: Loaded): string {
  const text = diagnostics.map(diagnostic => renderText(diagnostic, relative(folder, diagnostic.file))).join('\n')
  return text.replaceAll(folder, '<case>')
}
