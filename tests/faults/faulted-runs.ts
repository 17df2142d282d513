import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { canonicalJson } from '../../src/lib/json/stringify.ts'
import type { Host } from '../../src/model/host.ts'
import { assayOn } from '../support/in-process.ts'
import { linesOf, type Recorded, recordsIn } from '../support/suite-run.ts'
import { type Fault, type FaultyHost, faultyHost, type HostCall } from './faulty-host.ts'

/** Gives the tests of a file their own temporary folder, which can be inspected. */
export function useTemporaryFolder(): { readonly temporary: () => string[] } {
  const before = process.env['TMPDIR']
  let folder = ''
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-faults-')))
    mkdirSync(join(folder, 'tmp'))
    process.env['TMPDIR'] = join(folder, 'tmp')
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
  })
  return { temporary: () => readdirSync(join(folder, 'tmp')).filter(name => !name.startsWith('assay-test-')) }
}

export interface CommandResult {
  /** 70 after an unexpected exception. */
  readonly code: number
  readonly output: string
}

/** Runs a command on a host: its exit code and its output. */
export async function runCommand(args: readonly string[], host: Host): Promise<CommandResult> {
  const { code, stdout, stderr } = await assayOn(host, args)
  return { code: code ?? 0, output: `${stderr}${stdout}` }
}

/** Runs `assay eval` in a folder on a faulty host. */
export async function evalIn(
  folder: string,
  faultAt: FaultAt = () => undefined,
  args: readonly string[] = ['--quiet'],
  clockOf?: (real: number) => number,
): Promise<FaultyResult> {
  const world = faultyHost(folder, faultAt, clockOf)
  return { ...(await runCommand(['eval', '--workers', '4', ...args], world.host)), world }
}

/** The folder of the last run; undefined if none has started. */
export function lastRun(folder: string): string | undefined {
  const latest = join(folder, '.assay/runs/latest')
  return existsSync(latest) ? join(folder, '.assay/runs', readFileSync(latest, 'utf8').trim()) : undefined
}

/** The newest results by attempt, without the parts that differ between runs. */
export function recordedResults(folder: string): ReadonlyMap<string, object> {
  const run = lastRun(folder)
  const results = run === undefined ? [] : recordsIn<Recorded>(join(run, 'results.jsonl'))
  return new Map(results.map(result => [result.attempt_id, stableParts(result)]))
}

function stableParts(result: Recorded): object {
  const { timestamp, run_id, duration_ms, workspace_path, failed_calls, evaluator_results, ...rest } = result
  return { ...rest, evaluator_results: evaluator_results.map(({ duration_ms, ...each }) => each) }
}

/** The lines of the append-only files of the last run. */
function linesIn(folder: string): readonly string[][] {
  const run = lastRun(folder)
  return ['answers.jsonl', 'results.jsonl'].map(name => (run === undefined ? [] : linesOf(join(run, name))))
}

/** An operating system error, or a diagnostic about a file. */
const REASON = /\bE[A-Z_]{2,}\b|error file-|program not found|permission denied/

/** Expects correct records, no leftovers, and a message about every fault that changed the run. */
export function expectConsistent(
  folder: string,
  expected: ReadonlyMap<string, object>,
  { code, output, world }: FaultyResult,
) {
  const about = `${JSON.stringify(world.faulted)}\n${output}`
  expect([0, 1, 2, 3], about).toContain(code)
  const run = lastRun(folder)
  const results = run === undefined ? [] : recordsIn<Recorded>(join(run, 'results.jsonl'))
  expect(new Set(results.map(({ attempt_id }) => attempt_id)).size, about).toBe(results.length)
  for (const result of results) {
    const { error, attempt_id } = result
    if (error === undefined) expect(stableParts(result), about).toEqual(expected.get(attempt_id))
    else {
      expect(result, about).toMatchObject({ verdict: 'error', score: null })
      expect(error.code, about).not.toBe('bug')
      expect(error.message, about).toMatch(REASON)
      expect(code, about).toBe(output.startsWith('Cannot read the results again') ? 2 : 3)
    }
  }
  if (results.length < expected.size) {
    expect([2, 3], about).toContain(code)
    expect(output, about).toMatch(REASON)
  }
  expectNoLeftovers(folder, world, about)
}

export interface FaultyResult extends CommandResult {
  readonly world: FaultyHost
}

/** The relative paths of the files below a folder. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap(entry => (entry.isFile() ? relative(folder, join(entry.parentPath, entry.name)) : [])).sort()
}

/** Expects no locks, partial files, pending programs, or temporary folders except those in the records. */
function expectNoLeftovers(folder: string, world: FaultyHost, about: string): void {
  expect(
    filesIn(folder).filter(file => /(?:^|[/.])lock$|\.tmp$|\.lock$/.test(file)),
    about,
  ).toEqual([])
  expect(world.pending, about).toBe(0)
  const named = linesIn(folder).flat().join('\n')
  for (const path of world.kept) expect(named, about).toContain(path)
}

/** Resumes without faults: existing records must not change, and the rest must be as expected. */
export async function expectCompleted(folder: string, expected: ReadonlyMap<string, object>): Promise<void> {
  const before = linesIn(folder)
  const begun = recordedResults(folder)
  const hasErrors = [...begun.values()].some(isError)
  const { code, output, world } = await evalIn(folder, undefined, [
    '--quiet',
    hasErrors ? '--rerun-failed' : '--resume',
  ])
  expectRecords(recordedResults(folder), begun, expected, output)
  expect(code, output).toBe(1)
  for (const [index, lines] of linesIn(folder).entries())
    expect(lines.slice(0, before[index]?.length)).toEqual(before[index])
  const answers = linesIn(folder)[0]?.map(line => JSON.parse(line).attempt_id)
  if (!hasErrors) expect(new Set(answers).size).toBe(answers?.length)
  expectNoLeftovers(folder, world, output)
}

/** Expects that a rerun replaces errors, adds an attempt for each failure, and changes nothing else. */
function expectRecords(records: Records, begun: Records, expected: Records, about: string): void {
  const planned = [...expected].map(([id, result]) => {
    const error = begun.get(id)
    return [id, error && isError(error) ? { ...result, rerun: 1 } : result] as const
  })
  const isPlanned = ([id]: readonly [string, object]) => expected.has(id)
  expect(Object.fromEntries([...records].filter(isPlanned)), about).toEqual(Object.fromEntries(planned))
  const hasErrors = [...begun.values()].some(isError)
  const failed = [...begun.values()].filter(result => hasErrors && 'verdict' in result && result.verdict === 'fail')
  const added = [...records].filter(each => !isPlanned(each)).map(([, result]) => result)
  const again = failed.map(result => ({ ...result, rerun: 1, added: true }))
  expect(added.map(withoutTrial).sort(), about).toEqual(again.map(withoutTrial).sort())
}

type Records = ReadonlyMap<string, object>

function isError(result: object): boolean {
  return 'error' in result && result.error !== undefined
}

/** The parts of a result that are equal for all trials. */
function withoutTrial(result: object): string {
  const { attempt_id, trial, index, ...rest } = result as Recorded & { readonly index: number }
  return canonicalJson(rest)
}

/** A suite that is run repeatedly with faults, each time from scratch. */
export class FaultedSuite {
  /** The records of a run without faults. */
  expected: ReadonlyMap<string, object> = new Map()
  /** The host calls of such a run. */
  calls: readonly HostCall[] = []
  /** The number of runs with faults. */
  count = 0
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async runWithoutFaults(): Promise<void> {
    const { code, output, world } = await evalIn(this.folder)
    expect(code, output).toBe(1)
    this.expected = recordedResults(this.folder)
    this.calls = world.calls
  }

  /** Removes all runs, caches and logs. */
  clean(): void {
    for (const path of ['.assay/runs', '.assay/cache', '.assay/.gitignore', '.co'])
      rmSync(join(this.folder, path), { recursive: true, force: true })
  }

  /** Runs with faults, then resumes without. */
  async expectRecovery(faultAt: FaultAt): Promise<FaultyResult> {
    this.clean()
    this.count++
    const result = await evalIn(this.folder, faultAt)
    expectConsistent(this.folder, this.expected, result)
    await expectCompleted(this.folder, this.expected)
    return result
  }

  /** Runs once for each of these calls, with a fault at it. */
  async expectRecoveryFromEach(calls: readonly HostCall[], faultOf: (call: HostCall) => Fault): Promise<void> {
    for (const { name, nth } of calls) {
      const { world } = await this.expectRecovery(call =>
        call.name === name && call.nth === nth ? faultOf(call) : undefined,
      )
      // Results that finish together are written in one call, so this run may have fewer of them.
      const isMade = name !== 'append' || world.calls.some(call => call.name === name && call.nth === nth)
      expect(world.faulted.length, `${name} ${nth}`).toBe(isMade ? 1 : 0)
    }
  }
}

/** Returns the items in turn, endlessly. */
export function cycle<Item>(...items: readonly Item[]): () => Item {
  let next = 0
  return () => items[next++ % items.length] as Item
}

type FaultAt = (call: HostCall) => Fault | undefined
