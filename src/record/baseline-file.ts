import { basename, join } from 'node:path'
import type { Baseline, BaselineTest } from '../model/baseline.ts'
import type { Host } from '../model/host.ts'

/** The path of a baseline. */
export function baselinePath(settingsFolder: string, name: string): string {
  return join(settingsFolder, 'baselines', `${name}.json`)
}

/** The name of a baseline from its path. */
export function baselineName(path: string): string {
  return basename(path, '.json')
}

/** Writes a baseline. Returns whether the file has changed. */
export async function writeBaseline(path: string, baseline: Baseline, host: Host): Promise<boolean> {
  const text = baselineText(baseline)
  const before = await host.files.read(path).then(
    bytes => new TextDecoder().decode(bytes),
    () => undefined,
  )
  if (text === before) return false
  await host.files.write(path, text)
  return true
}

/**
 * Formats a baseline for git: sorted, one line per test and target. Commas have lines of their own, so that changes of
 * neighbouring tests on two branches merge, and a test that is added at the end changes no other line.
 */
function baselineText({ assay_baseline, identity_version, targets, files, tests }: Baseline): string {
  const targetLines = unique(targets.map(target => JSON.stringify(target)))
  const fileLines = Object.entries(files).map(([file, hash]) => `${JSON.stringify(file)}: ${JSON.stringify(hash)}`)
  const testLines = tests
    .toSorted(inOrder)
    .map(({ line, expected_failure, quarantine, ...test }) => JSON.stringify(test))
  return [
    '{',
    `"assay_baseline": ${assay_baseline},`,
    `"identity_version": ${identity_version},`,
    '"targets": [',
    ...separated(targetLines.sort()),
    '],',
    '"files": {',
    ...separated(fileLines.sort()),
    '},',
    '"tests": [',
    ...separated(testLines),
    ']',
    '}',
    '',
  ].join('\n')
}

function separated(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => (index === 0 ? [line] : [',', line]))
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)]
}

/** By suite, test, target and file, independent of the language of the machine. */
function inOrder(a: BaselineTest, b: BaselineTest): number {
  for (const key of ['suite', 'test_id', 'target', 'file'] as const) {
    if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1
  }
  return 0
}
