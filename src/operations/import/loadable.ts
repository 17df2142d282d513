import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { evaluators } from '../../evaluators/index.ts'
import type { ImportNotes } from '../../import/import-notes.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import type { Host } from '../../model/host.ts'
import type { FileStat, HostFiles } from '../../model/host-files.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { loadFiles } from '../../parse/load-files.ts'
import { readDocument } from '../../parse/yaml/read-document.ts'
import { Source } from '../../parse/yaml/source.ts'
import { suiteYaml } from '../../transpile/suite-yaml.ts'
import type { PlacedSuite } from './placed-suite.ts'

/** Attempts to leave out tests: leaving one out cannot make another one invalid more than a few times. */
const MOST_ROUNDS = 5

/**
 * Leaves out the tests of a suite that could not be loaded, with the reason: a file that is missing, or a value that the
 * other tool takes and Assay does not.
 */
export async function loadableSuite(suite: PlacedSuite, notes: ImportNotes, host: Host): Promise<LoadableSuite> {
  let { tests } = suite
  let needs_judge = false
  for (let round = 0; round < MOST_ROUNDS && tests.length > 0; round++) {
    const { errors, isJudged } = await tryToLoad({ ...suite, tests }, host)
    needs_judge = isJudged
    if (errors.size === 0) break
    for (const [index, message] of errors) {
      const test = tests[index]
      if (test) notes.leaveTestOut(test.at, `a test that would not load: ${message}`, test.counted)
    }
    tests = tests.filter((_, index) => !errors.has(index))
  }
  return { ...suite, tests, needs_judge }
}

export interface LoadableSuite extends PlacedSuite {
  /** Whether a check is judged by the judge of the run. */
  readonly needs_judge: boolean
}

/** A suite that loads without errors, with a number of tests; undefined if it does not. */
export async function loadedWith(suite: PlacedSuite, count: number, host: Host): Promise<LoadableSuite | undefined> {
  const tried = await tryToLoad(suite, host)
  return tried.is_valid && tried.count === count ? { ...suite, needs_judge: tried.isJudged } : undefined
}

interface Tried {
  /** The first error of each test that has one. An error elsewhere concerns no test. */
  readonly errors: ReadonlyMap<number, string>
  readonly isJudged: boolean
  readonly is_valid: boolean
  /** Number of tests, with one for each row. */
  readonly count: number
}

async function tryToLoad({ suite, tests, programs, output }: PlacedSuite, host: Host): Promise<Tried> {
  const file = join(output, 'EVAL.yaml')
  const text = suiteYaml(
    suite,
    tests.map(({ fields }) => fields),
  )
  const texts = new Map([[file, text], ...[...programs].map(([name, code]) => [join(output, name), code] as const)])
  const loading = { host: { ...host, files: overlaid(host.files, texts) }, evaluators }
  const { suites, diagnostics } = await loadFiles([file], loading)
  const checks = suites.flatMap(loaded => loaded.tests.flatMap(test => test.checks))
  const isJudged = checks.some(usesDefaultJudge)
  const found = diagnostics.filter(({ severity, file: where }) => severity === 'error' && where === file)
  const errors = new Map<number, string>()
  const facts = { errors, isJudged, is_valid: found.length === 0, count: suites.flatMap(({ tests }) => tests).length }
  if (found.length === 0) return facts
  const lines = testLines(file, text)
  for (const diagnostic of found) {
    const index = lines.findLastIndex(line => line <= diagnostic.line)
    if (index >= 0 && !errors.has(index)) errors.set(index, shortMessage(diagnostic))
  }
  return facts
}

/** Whether a check, or one inside it, has a judge that it does not name. */
function usesDefaultJudge(check: Check): boolean {
  const needs = check.evaluator.judge?.(check.config)
  const isUnnamed = needs !== undefined && needs.target === undefined && needs.judges === undefined
  return isUnnamed || nestedChecks(check).some(usesDefaultJudge)
}

function testLines(file: string, text: string): number[] {
  const document = readDocument(new Source(file, text), new Diagnostics())
  return (document?.at.child('tests').items() ?? []).map(item => item.line())
}

function shortMessage({ message }: Diagnostic): string {
  return message.replace(/`[^`]*\/([^`/]+)`/g, '`$1`')
}

/** The files of a host, some of which have a text that is not written yet. */
function overlaid(files: HostFiles, texts: ReadonlyMap<string, string>): HostFiles {
  const sizes = new Map([...texts].map(([path, text]) => [path, new TextEncoder().encode(text)]))
  const folders = new Set([...texts.keys()].map(path => dirname(path)))
  const overlay: Partial<HostFiles> = {
    read: async (path, most) => sizes.get(path)?.subarray(0, most) ?? files.read(path, most),
    stat: async path => {
      const bytes = sizes.get(path)
      if (bytes) return { kind: 'file', size: bytes.length, executable: false } satisfies FileStat
      return (
        (await files.stat(path)) ?? (folders.has(path) ? { kind: 'folder', size: 0, executable: false } : undefined)
      )
    },
    listNames: async folder => {
      const own = [...texts.keys()].filter(path => dirname(path) === folder).map(path => basename(path))
      return [...new Set([...(await files.listNames(folder)), ...own])].sort()
    },
  }
  return Object.assign(Object.create(files) as HostFiles, overlay)
}
