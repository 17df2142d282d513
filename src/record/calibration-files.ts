import { join } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import { firstProblem } from '../lib/zod-problem.ts'
import { type Calibration, calibrationSchema } from '../model/calibration.ts'
import type { Host } from '../model/host.ts'
import { cannotRead, RunError, readIfExists } from './run-error.ts'

/** The file of a calibration. */
function calibrationPath(settingsFolder: string, fingerprint: string): string {
  return join(settingsFolder, 'calibration', `${fingerprint}.json`)
}

/** Reads all calibrations, sorted by file name. Throws on a file that cannot be read whole. */
export async function readCalibrations(settingsFolder: string, host: Host): Promise<Calibration[]> {
  const folder = join(settingsFolder, 'calibration')
  const stat = await host.files.stat(folder).catch(cannotRead(folder))
  if (stat?.kind !== 'folder') return []
  const names = await host.files.listNames(folder).catch(cannotRead(folder))
  const files = names.filter(name => name.endsWith('.json')).sort()
  return Promise.all(files.map(name => readCalibration(join(folder, name), host)))
}

async function readCalibration(path: string, host: Host): Promise<Calibration> {
  const bytes = await host.files.read(path).catch(cannotRead(path))
  const parsed = calibrationSchema().safeParse(parseJson(new TextDecoder().decode(bytes)))
  if (parsed.success) return parsed.data
  const { path: key, message } = firstProblem(parsed.error)
  throw new RunError(
    `${path}: this is not a calibration: \`${key || 'the file'}\`: ${message}. Remove it, then run \`assay calibrate\`.`,
  )
}

/** What became of a calibration. */
export interface WrittenCalibration {
  readonly path: string
  /** `kept`: the file has the calibration of another run, with more labelled answers. */
  readonly status: 'written' | 'unchanged' | 'kept'
  /** The run whose verdicts the file compares. */
  readonly run_id: string
}

/** Writes a calibration. A file that differs only in its time is left alone. */
export async function writeCalibration(
  settingsFolder: string,
  calibration: Calibration,
  host: Host,
): Promise<WrittenCalibration> {
  const path = calibrationPath(settingsFolder, calibration.fingerprint)
  const before = (await readIfExists(path, host)) && (await readCalibration(path, host))
  const { run_id, labelled } = calibration
  if (before && before.run_id !== run_id && before.labelled.length > labelled.length)
    return { path, status: 'kept', run_id: before.run_id }
  const isSame = before && calibrationText({ ...before, made: calibration.made }) === calibrationText(calibration)
  if (isSame) return { path, status: 'unchanged', run_id }
  await host.files.write(path, calibrationText(calibration)).catch(error => {
    throw new RunError(`Cannot write ${path}: ${error.message}`)
  })
  return { path, status: 'written', run_id }
}

/** One line for each item of a list, so that git merges them well. */
function calibrationText(calibration: Calibration): string {
  const lines = Object.entries(calibration).map(([key, value]) => `  ${JSON.stringify(key)}: ${valueText(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
  return value.length === 0 ? '[]' : `[\n${value.map(item => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`
}
