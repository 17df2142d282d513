import { parseJson } from '../lib/parse-json.ts'
import { shown } from '../lib/shown.ts'
import type { Check, CheckFile } from '../model/check.ts'
import { nestedChecks } from '../model/check.ts'
import type { FileReference } from '../model/evaluator.ts'
import type { Issue } from '../model/issue.ts'
import type { Origin } from '../model/location.ts'
import type { TestFacts } from '../model/test-facts.ts'
import type { Loading } from './loading.ts'
import { reportLongIntegers } from './long-integers.ts'
import type { Mistakes } from './mistakes.ts'
import { SourceNode } from './source-node.ts'

/** Finds the files that a check names, then what is wrong with the check. Waits only where it must. */
export function reportIssues(check: Check, references: readonly FileReference[], loading: Loading): void {
  if (references.length > 0) {
    loading.pending.push(findFiles(references, check, loading).then(() => issuesOf(check, loading)))
    return
  }
  const waiting = issuesOf(check, loading)
  if (waiting) loading.pending.push(waiting)
}

function issuesOf(check: Check, { mistakes }: Loading): Promise<void> | undefined {
  const found = check.evaluator.issues?.(check.config, check.files)
  if (found instanceof Promise) return found.then(issues => addIssues(issues, check.at, mistakes))
  if (found) addIssues(found, check.at, mistakes)
  return undefined
}

/** What is wrong with a check in a certain test, said at the check, or at the test where the check is the suite's. */
export function reportIssuesIn(
  check: Check,
  test: TestFacts & { at: Origin },
  where: 'check' | 'test',
  mistakes: Mistakes,
): void {
  const issues = check.evaluator.issuesIn?.(check.config, test) ?? []
  if (where === 'check') addIssues(issues, check.at, mistakes)
  else {
    for (const { path, ...issue } of issues) {
      mistakes.add({ ...issue, at: test.at, message: `check ${shown(check.name)} of the suite: ${issue.message}` })
    }
  }
  for (const nested of nestedChecks(check)) reportIssuesIn(nested, test, where, mistakes)
}

/** The files, in the order in which they are named: they are part of the identity of a test. */
async function findFiles(references: readonly FileReference[], check: Check, loading: Loading): Promise<void> {
  const found = check.files as Map<string, CheckFile>
  const files = await Promise.all(references.map(reference => findFile(reference, check, loading)))
  for (const [index, file] of files.entries()) if (file) found.set(references[index]?.value ?? '', file)
}

async function findFile(
  { value, need, at: path }: FileReference,
  { at }: Check,
  loading: Loading,
): Promise<CheckFile | undefined> {
  const file = await loading.files.resolve(value, at.file)
  const named = { at: at.child(...path), written: value }
  if (need === 'text') {
    const source = await loading.files.read(file, named)
    if (source) {
      const at = SourceNode.ofJsonLine(source, 0, source.text)
      reportLongIntegers(parseJson(source.text), at, loading.mistakes)
    }
    return source && { path: file, text: source.text }
  }
  const isThere =
    need === 'none' ? (await loading.files.stat(file))?.kind === 'file' : await loading.files.requireFile(file, named)
  return isThere ? { path: file } : undefined
}

function addIssues(issues: readonly Issue[], at: Origin, mistakes: Mistakes): void {
  for (const { inFile, path, ...issue } of issues) {
    const place = inFile ? mistakes.placeIn(inFile.file, inFile.offset, inFile.length) : at.child(...path)
    mistakes.add({ ...issue, at: place })
  }
}
