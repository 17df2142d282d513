import { type Command, InvalidArgumentError } from 'commander'
import type { RunsOptions } from '../../../operations/runs.ts'
import { labelText } from '../../options.ts'

/** Options that select runs. */
export interface FilterOptions {
  readonly label?: string
  readonly commit?: string
  readonly branch?: string
  readonly olderThan?: number
  readonly newerThan?: number
  readonly runsDir?: string
}

export function withFilterOptions(command: Command): Command {
  return command
    .option('--label <text>', 'only runs with this label', labelText)
    .option('--commit <hash>', 'only runs of this commit: its beginning is enough', commitPrefix)
    .option('--branch <name>', 'only runs of this branch', named)
    .option('--older-than <age>', 'only runs that started longer ago: 45m, 12h, 30d or 2w', ageMs)
    .option('--newer-than <age>', 'only runs that started more recently', ageMs)
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
}

export function runsOptions({ label, commit, branch, olderThan, newerThan, runsDir }: FilterOptions): RunsOptions {
  return { filter: { label, commit, branch, older_than_ms: olderThan, newer_than_ms: newerThan }, runs_dir: runsDir }
}

function commitPrefix(text: string): string {
  if (!/^[0-9a-f]{4,64}$/i.test(text)) throw new InvalidArgumentError('It must be 4 or more digits of a commit.')
  return text.toLowerCase()
}

function named(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

const MINUTE = 60_000
const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE,
  h: 60 * MINUTE,
  d: 24 * 60 * MINUTE,
  w: 7 * 24 * 60 * MINUTE,
}

function ageMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('It must be like 45m, 12h, 30d or 2w.')
  return Number(count) * (UNITS[unit] ?? 0)
}
