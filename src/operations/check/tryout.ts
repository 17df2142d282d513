import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Host } from '../../model/host.ts'
import type { Suite } from '../../model/suite.ts'
import { type DiagnosticInput, Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import type { JudgedSuites } from './ask-judges.ts'
import { LEFT_OUT } from './check-findings.ts'
import { type CheckedSuite, checkSuite } from './check-suite.ts'

export interface TryoutOptions {
  /** Whether programs that judge are started. */
  readonly programs?: boolean | undefined
  /** Called after each test. */
  readonly onTest?: ((done: number, total: number) => void) | undefined
  /** What judges said about the suites. */
  readonly judged?: JudgedSuites | undefined
  /** Texts that are not read from disk, by path. */
  readonly texts?: ReadonlyMap<string, Uint8Array> | undefined
}

/** What trying suites came to. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[]
  readonly suites: readonly CheckedSuite[]
  readonly tests: number
  readonly checks: number
  /** Checks that were not tried: how many, and why. */
  readonly left_out: readonly { readonly count: number; readonly reason: string }[]
}

/** Tries loaded suites. */
export async function tryout(
  suites: readonly Suite[],
  { programs, onTest, judged, texts = new Map() }: TryoutOptions,
  host: Host,
): Promise<Checked> {
  const { settings_folder } = await findProjectFolders(undefined, host)
  const tests = suites.reduce((sum, suite) => sum + suite.tests.length, 0)
  let done = 0
  const progress = () => onTest?.(++done, tests)
  const checked: CheckedSuite[] = []
  for (const suite of suites)
    checked.push(await checkSuite(suite, { programs, settings_folder, onTest: progress }, host))
  return {
    suites: checked,
    diagnostics: await locate(
      [...checked.flatMap(({ findings }) => findings), ...(judged?.findings ?? [])],
      texts,
      host,
    ),
    tests,
    checks: checked.reduce((sum, { trials }) => sum + trials.size, 0),
    left_out: leftOut(checked).filter(({ reason }) => !judged || reason !== LEFT_OUT.judges),
  }
}

function leftOut(checked: readonly CheckedSuite[]): Checked['left_out'] {
  const counts = new Map<keyof typeof LEFT_OUT, number>()
  for (const { trials } of checked)
    for (const [reason, count] of trials.leftOut()) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts].map(([reason, count]) => ({ count, reason: LEFT_OUT[reason] }))
}

/** Adds code frames, and sorts by location. */
async function locate(
  findings: readonly DiagnosticInput[],
  texts: ReadonlyMap<string, Uint8Array>,
  host: Host,
): Promise<readonly Diagnostic[]> {
  const diagnostics = new Diagnostics()
  const files = new Files(host, diagnostics)
  for (const [path, bytes] of texts) files.provide(path, bytes)
  for (const finding of findings) {
    await files.read(finding.at.file)
    diagnostics.add(finding)
  }
  return diagnostics.sorted()
}
