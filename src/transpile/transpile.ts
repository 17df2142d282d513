import { basename, dirname, join } from 'node:path'
import type { Suite } from '../model/suite.ts'
import { type EvalsDialect, evalsFiles } from './evals-json/evals-files.ts'
import { pluginFiles } from './plugin-evals/plugin-files.ts'
import type { TranspileResult } from './transpiled-file.ts'

/** Formats that suites are converted to and from. */
export const FORMATS = ['skill-creator', 'agentskills', 'plugin-evals'] as const

export type Format = (typeof FORMATS)[number]

/** A format, or `evals-json`: an evals.json with the keys that each of its readers knows. */
export type OutputFormat = Format | 'evals-json'

interface Writer {
  /** Folder of the files of a suite in a certain folder. */
  folder(home: string): string
  write(suite: Suite, folder: string): TranspileResult
}

const WRITERS: Readonly<Record<OutputFormat, Writer>> = {
  'evals-json': evalsWriter({ keys: ['assertions', 'expectations'], triggers: 'trigger-evals.json' }),
  'skill-creator': evalsWriter({ keys: ['expectations'], triggers: 'trigger-evals.json' }),
  agentskills: evalsWriter({ keys: ['assertions'], triggers: 'eval_queries.json' }),
  'plugin-evals': { folder: home => (basename(home) === 'evals' ? home : join(home, 'evals')), write: pluginFiles },
}

function evalsWriter(dialect: EvalsDialect): Writer {
  return { folder: home => home, write: suite => evalsFiles(suite, dialect) }
}

/** Returns the folder in which a format has the files of a suite. */
export function folderFor(format: OutputFormat, home: string): string {
  return WRITERS[format].folder(home)
}

/** Converts a suite into the files of another format, in a folder. */
export function transpile(
  suite: Suite,
  format: OutputFormat = 'evals-json',
  folder = folderFor(format, dirname(suite.file)),
): TranspileResult {
  return WRITERS[format].write(suite, folder)
}
