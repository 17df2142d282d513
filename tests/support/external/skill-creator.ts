import { join } from 'node:path'
import type { RunReader } from '../../../src/model/run-reader.ts'
import type { ReportOptions } from '../../../src/report/reporter.ts'
import { skillCreator } from '../../../src/report/skill-creator.ts'
import { folderWith, type Result, run } from '../program.ts'

const READER = join(import.meta.dirname, 'skill_creator.py')

/** The files of a report by path. */
export function filesOf(reader: RunReader, options: ReportOptions = {}): Record<string, string> {
  const files = [...skillCreator.render(reader, options)].map(({ path = '', text }) => [path, [...text].join('')])
  return Object.fromEntries(files)
}

/** The content of a JSON file of a report. */
export function jsonOf(reader: RunReader, path: string): unknown {
  return JSON.parse(filesOf(reader)[path] ?? 'null')
}

/** The data that the scripts of skill-creator read from a folder. */
export interface ScriptData {
  readonly aggregated: Record<
    string,
    { eval_id: number; run_number: number; pass_rate: number; tokens: number; time_seconds: number }[]
  >
  readonly viewed: { id: string; eval_id: number; prompt: string; outputs: Record<string, string> }[]
}

/** Reads a folder like the scripts of skill-creator, by default with an ASCII locale. */
export function runScripts(folder: string, locale = 'C'): Promise<Result> {
  return run('python3', [READER, folder], {
    cwd: folder,
    env: { LC_ALL: locale, PYTHONCOERCECLOCALE: '0', PYTHONUTF8: '0' },
  })
}

export async function readFolder(folder: string, locale?: string): Promise<ScriptData> {
  const { code, stdout, stderr } = await runScripts(folder, locale)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** The data that the scripts read from a report. */
export async function readReport(reader: RunReader, options: ReportOptions = {}, locale?: string): Promise<ScriptData> {
  return readFolder(folderWith(filesOf(reader, options)), locale)
}
