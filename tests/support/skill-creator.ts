import { join } from 'node:path'
import type { RunReader } from '../../src/model/run-reader.ts'
import type { ReportOptions } from '../../src/report/reporter.ts'
import { skillCreator } from '../../src/report/skill-creator.ts'
import { folderWith, type Result, run } from './program.ts'

const READER = join(import.meta.dirname, 'skill_creator.py')

/** The files of a report, by their paths. */
export function filesOf(reader: RunReader, asked: ReportOptions = {}): Record<string, string> {
  const files = [...skillCreator.render(reader, asked)].map(({ path = '', text }) => [path, [...text].join('')])
  return Object.fromEntries(files)
}

/** What the files of a report say that are JSON. */
export function jsonOf(reader: RunReader, path: string): unknown {
  return JSON.parse(filesOf(reader)[path] ?? 'null')
}

/** What skill-creator's scripts see in a folder. */
export interface Seen {
  readonly aggregated: Record<
    string,
    { eval_id: number; run_number: number; pass_rate: number; tokens: number; time_seconds: number }[]
  >
  readonly viewed: { id: string; eval_id: number; prompt: string; outputs: Record<string, string> }[]
}

/** A folder as the scripts read it, with the encoding of a machine that knows nothing but ASCII where one is not given. */
export function readBy(folder: string, locale = 'C'): Promise<Result> {
  return run('python3', [READER, folder], {
    cwd: folder,
    env: { LC_ALL: locale, PYTHONCOERCECLOCALE: '0', PYTHONUTF8: '0' },
  })
}

export async function seenIn(folder: string, locale?: string): Promise<Seen> {
  const { code, stdout, stderr } = await readBy(folder, locale)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** What the scripts see of a report. */
export async function seenOf(reader: RunReader, asked: ReportOptions = {}, locale?: string): Promise<Seen> {
  return seenIn(folderWith(filesOf(reader, asked)), locale)
}
