import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { canonicalJson } from '../../src/lib/json/stringify.ts'
import type { Host } from '../../src/model/host.ts'
import { assayOn } from '../support/in-process.ts'
import { linesOf, type Recorded, recordsIn } from '../support/suite-run.ts'
import { type Fault, type FaultyHost, faultyHost, type HostCall } from './faulty-host.ts'

/** Puts temporary files of the tests of one file where they can be looked at. */
export function watchTheWorld(): { readonly temporary: () => string[] } {
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

export interface Ended {
  /** 70 after an unexpected exception. */
  readonly code: number
  readonly said: string
}

/** Runs a command on a host, and keeps its exit code and what it printed. */
export async function ended(args: readonly string[], host: Host): Promise<Ended> {
  const { code, stdout, stderr } = await assayOn(host, args)
  return { code: code ?? 0, said: `${stderr}${stdout}` }
}

/** `assay eval` in a folder, in a world with faults. */
export async function evalIn(
  folder: string,
  faultAt: FaultAt = () => undefined,
  args: readonly string[] = ['--quiet'],
  clockOf?: (real: number) => number,
): Promise<EndedInWorld> {
  const world = faultyHost(folder, faultAt, clockOf)
  return { ...(await ended(['eval', '--workers', '4', ...args], world.host)), world }
}

/** The folder of the last run; undefined where none has begun. */
export function lastRun(folder: string): string | undefined {
  const latest = join(folder, '.assay/runs/latest')
  return existsSync(latest) ? join(folder, '.assay/runs', readFileSync(latest, 'utf8').trim()) : undefined
}

/** The parts of results that are the same in every run, by attempt; the newest counts. */
export function recorded(folder: string): ReadonlyMap<string, object> {
  const run = lastRun(folder)
  const results = run === undefined ? [] : recordsIn<Recorded>(join(run, 'results.jsonl'))
  return new Map(results.map(result => [result.attempt_id, lasting(result)]))
}

function lasting(result: Recorded): object {
  const { timestamp, run_id, duration_ms, workspace_path, failed_calls, evaluator_results, ...rest } = result
  return { ...rest, evaluator_results: evaluator_results.map(({ duration_ms, ...each }) => each) }
}

/** The files of a run as they are, for what may only be added to. */
function linesIn(folder: string): readonly string[][] {
  const run = lastRun(folder)
  return ['answers.jsonl', 'results.jsonl'].map(name => (run === undefined ? [] : linesOf(join(run, name))))
}

/** The error of the system, or a diagnostic of a file. */
const SAYS_WHY = /\bE[A-Z_]{2,}\b|error file-|program not found|permission denied/

/** Whatever went wrong: the records are right, nothing is left behind, and it was said. */
export function expectOrder(folder: string, whole: ReadonlyMap<string, object>, { code, said, world }: EndedInWorld) {
  const about = `${JSON.stringify(world.faulted)}\n${said}`
  expect([0, 1, 2, 3], about).toContain(code)
  const run = lastRun(folder)
  const results = run === undefined ? [] : recordsIn<Recorded>(join(run, 'results.jsonl'))
  expect(new Set(results.map(({ attempt_id }) => attempt_id)).size, about).toBe(results.length)
  for (const result of results) {
    const { error, attempt_id } = result
    if (error === undefined) expect(lasting(result), about).toEqual(whole.get(attempt_id))
    else {
      expect(result, about).toMatchObject({ verdict: 'error', score: null })
      expect(error.code, about).not.toBe('bug')
      expect(error.message, about).toMatch(SAYS_WHY)
      expect(code, about).toBe(said.startsWith('Cannot read the results again') ? 2 : 3)
    }
  }
  if (results.length < whole.size) {
    expect([2, 3], about).toContain(code)
    expect(said, about).toMatch(SAYS_WHY)
  }
  expectNothingLeft(folder, world, about)
}

export interface EndedInWorld extends Ended {
  readonly world: FaultyHost
}

/** The files below a folder, by their paths from there. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap(entry => (entry.isFile() ? relative(folder, join(entry.parentPath, entry.name)) : [])).sort()
}

/** No lock, no half-written file, no program, and no temporary folder but those that the records name. */
function expectNothingLeft(folder: string, world: FaultyHost, about: string): void {
  expect(
    filesIn(folder).filter(file => /(?:^|[/.])lock$|\.tmp$|\.lock$/.test(file)),
    about,
  ).toEqual([])
  expect(world.underway, about).toBe(0)
  const named = linesIn(folder).flat().join('\n')
  for (const path of world.kept) expect(named, about).toContain(path)
}

/** Goes on without faults: what was recorded stays as it is, and the rest becomes what it would have been. */
export async function expectCompleted(folder: string, whole: ReadonlyMap<string, object>): Promise<void> {
  const before = linesIn(folder)
  const begun = recorded(folder)
  const hasErrors = [...begun.values()].some(isError)
  const { code, said, world } = await evalIn(folder, undefined, ['--quiet', hasErrors ? '--rerun-failed' : '--resume'])
  expectRecords(recorded(folder), begun, whole, said)
  expect(code, said).toBe(1)
  for (const [index, lines] of linesIn(folder).entries())
    expect(lines.slice(0, before[index]?.length)).toEqual(before[index])
  const answers = linesIn(folder)[0]?.map(line => JSON.parse(line).attempt_id)
  if (!hasErrors) expect(new Set(answers).size).toBe(answers?.length)
  expectNothingLeft(folder, world, said)
}

/** Errors are replaced in the rerun, and for each attempt that failed there is one more; all others are as they would have been. */
function expectRecords(records: Records, begun: Records, whole: Records, about: string): void {
  const planned = [...whole].map(([id, result]) => {
    const error = begun.get(id)
    return [id, error && isError(error) ? { ...result, rerun: 1 } : result] as const
  })
  const isPlanned = ([id]: readonly [string, object]) => whole.has(id)
  expect(Object.fromEntries([...records].filter(isPlanned)), about).toEqual(Object.fromEntries(planned))
  const hasErrors = [...begun.values()].some(isError)
  const failed = [...begun.values()].filter(result => hasErrors && 'verdict' in result && result.verdict === 'fail')
  const added = [...records].filter(each => !isPlanned(each)).map(([, result]) => result)
  const again = failed.map(result => ({ ...result, rerun: 1, added: true }))
  expect(added.map(apartFromTrial).sort(), about).toEqual(again.map(apartFromTrial).sort())
}

type Records = ReadonlyMap<string, object>

function isError(result: object): boolean {
  return 'error' in result && result.error !== undefined
}

/** The parts that are the same in every trial. */
function apartFromTrial(result: object): string {
  const { attempt_id, trial, index, ...rest } = result as Recorded & { readonly index: number }
  return canonicalJson(rest)
}

/** A suite whose runs go wrong again and again, each time from the beginning. */
export class FaultedSuite {
  /** The records of a run without faults. */
  whole: ReadonlyMap<string, object> = new Map()
  /** The host calls of such a run. */
  calls: readonly HostCall[] = []
  /** How many runs had faults. */
  count = 0
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async runWhole(): Promise<void> {
    const { code, said, world } = await evalIn(this.folder)
    expect(code, said).toBe(1)
    this.whole = recorded(this.folder)
    this.calls = world.calls
  }

  /** Back to where nothing has been run. */
  clean(): void {
    for (const path of ['.assay/runs', '.assay/cache', '.assay/.gitignore', '.co'])
      rmSync(join(this.folder, path), { recursive: true, force: true })
  }

  /** A run with faults, and a resumed one without. */
  async expectMended(faultAt: FaultAt): Promise<EndedInWorld> {
    this.clean()
    this.count++
    const ended = await evalIn(this.folder, faultAt)
    expectOrder(this.folder, this.whole, ended)
    await expectCompleted(this.folder, this.whole)
    return ended
  }

  /** One fault at each of these calls, each in a run of its own. */
  async expectEachMended(calls: readonly HostCall[], faultOf: (call: HostCall) => Fault): Promise<void> {
    for (const { name, nth } of calls) {
      const { world } = await this.expectMended(call =>
        call.name === name && call.nth === nth ? faultOf(call) : undefined,
      )
      expect(world.faulted.length, `${name} ${nth}`).toBe(1)
    }
  }
}

/** One after another of these, always in the same order. */
export function turnsOf<Item>(...items: readonly Item[]): () => Item {
  let next = 0
  return () => items[next++ % items.length] as Item
}

type FaultAt = (call: HostCall) => Fault | undefined
