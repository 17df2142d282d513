import { parseJson } from '../../lib/json/parse-json.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { type Check, type CheckFile, nestedChecks } from '../../model/check.ts'
import type { FileReference, TestFacts } from '../../model/evaluator.ts'
import type { Issue } from '../../model/issue.ts'
import type { Origin } from '../../model/location.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { reportLongIntegers } from '../shape/written-scalars.ts'
import { SourceNode } from '../yaml/source-node.ts'
import type { SuiteContext } from './load-context.ts'

/** Finds the files that a check names, then reports its issues. Synchronous where possible. */
export function reportIssues(check: Check, references: readonly FileReference[], context: SuiteContext): void {
  if (references.length > 0) {
    context.pending.push(findFiles(references, check, context).then(() => issuesOf(check, context)))
    return
  }
  const waiting = issuesOf(check, context)
  if (waiting) context.pending.push(waiting)
}

function issuesOf(check: Check, { diagnostics }: SuiteContext): Promise<void> | undefined {
  const found = check.evaluator.validate?.check?.(check.config, check.files)
  if (found instanceof Promise) return found.then(issues => addIssues(issues, check.at, diagnostics))
  if (found) addIssues(found, check.at, diagnostics)
  return undefined
}

/** Reports issues of a check in a test: at the check, or at the test if the check belongs to the suite. */
export function reportIssuesIn(
  check: Check,
  test: TestFacts & { at: Origin },
  where: 'check' | 'test',
  diagnostics: Diagnostics,
): void {
  const issues = check.evaluator.validate?.test?.(check.config, test) ?? []
  if (where === 'check') addIssues(issues, check.at, diagnostics)
  else {
    for (const { path, ...issue } of issues) {
      diagnostics.add({
        ...issue,
        at: test.at,
        message: `check ${quoteCode(check.name)} of the suite: ${issue.message}`,
      })
    }
  }
  for (const nested of nestedChecks(check)) reportIssuesIn(nested, test, where, diagnostics)
}

/** Finds files in the order in which they are named: they are part of the identity of a test. */
async function findFiles(references: readonly FileReference[], check: Check, context: SuiteContext): Promise<void> {
  const found = check.files as Map<string, CheckFile>
  const files = await Promise.all(references.map(reference => findFile(reference, check, context)))
  for (const [index, file] of files.entries()) if (file) found.set(references[index]?.value ?? '', file)
}

async function findFile(
  { value, need, at: path }: FileReference,
  { at }: Check,
  context: SuiteContext,
): Promise<CheckFile | undefined> {
  const file = await context.files.resolve(value, at.file)
  const named = { at: at.child(...path), written: value }
  if (need === 'text') {
    const source = await context.files.read(file, named)
    if (source) {
      const at = SourceNode.ofJsonLine(source, 0, source.text)
      reportLongIntegers(parseJson(source.text), at, context.diagnostics)
    }
    return source && { path: file, text: source.text }
  }
  const isThere =
    need === 'none' ? (await context.files.stat(file))?.kind === 'file' : await context.files.requireFile(file, named)
  return isThere ? { path: file } : undefined
}

function addIssues(issues: readonly Issue[], at: Origin, diagnostics: Diagnostics): void {
  for (const { inFile, path, ...issue } of issues) {
    const location = inFile ? diagnostics.locationIn(inFile.file, inFile.offset, inFile.length) : at.child(...path)
    diagnostics.add({ ...issue, at: location })
  }
}

/** Reports ids of rubrics that several checks of one test share. */
export function reportDuplicateRubrics(checks: readonly Check[], diagnostics: Diagnostics): void {
  if (checks.some(({ evaluator }) => evaluator.validate?.ids || evaluator.contains_checks)) {
    collectRubricIds(checks, new Set(), diagnostics)
  }
}

function collectRubricIds(checks: readonly Check[], seen: Set<string>, diagnostics: Diagnostics): void {
  for (const check of checks) {
    for (const { id, path } of check.evaluator.validate?.ids?.(check.config) ?? []) {
      if (seen.has(id)) {
        const message = `duplicate rubric id ${quoteCode(id)}`
        diagnostics.add({
          code: 'duplicate-rubric',
          at: check.at.child(...path),
          message,
          hint: 'give each rubric its own id',
        })
      }
      seen.add(id)
    }
    collectRubricIds(nestedChecks(check), seen, diagnostics)
  }
}
