import { dirname } from 'node:path'
import { expect } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { Semaphore } from '../../src/lib/semaphore.ts'
import type { Answer } from '../../src/model/answer.ts'
import type { Check } from '../../src/model/check.ts'
import type { Subject } from '../../src/model/evaluator.ts'
import type { Grade } from '../../src/model/grade.ts'
import type { EvaluatorResult } from '../../src/model/result.ts'
import type { Test } from '../../src/model/test.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { type AskJudge, type GradingContext, gradeAnswer } from '../../src/run/grade-answer.ts'
import { folderWith } from './program.ts'

export interface Around {
  /** Lines of the test besides its checks, such as `expected_output: yes`. */
  readonly fields?: string
  /** Files beside the suite. */
  readonly files?: Record<string, string>
}

/** A test with checks as they are written in the file, each on a line of its own, and every mistake in it. */
export async function loadTestOf(checks: readonly string[], { fields = '', files = {} }: Around = {}) {
  const list = checks.map(check => `      - ${check}\n`).join('')
  const more = fields === '' ? '' : `    ${fields.trim().replaceAll('\n', '\n    ')}\n`
  const suite = `name: one\ntests:\n  - id: a\n    criteria: It is good\n    input: Hi\n    assert:\n${list}${more}`
  const file = `${folderWith({ 'EVAL.yaml': suite, ...files })}/EVAL.yaml`
  const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(dirname(file)), evaluators })
  return { test: suites[0]?.tests[0], diagnostics }
}

export async function loadedTest(
  checks: readonly string[],
  files: Record<string, string> = {},
  fields = '',
): Promise<Test> {
  const { test, diagnostics } = await loadTestOf(checks, { files, fields })
  expect(diagnostics).toEqual([])
  if (!test) throw new Error('the suite has no test')
  return test
}

export async function loadedCheck(check: string, files: Record<string, string> = {}): Promise<Check> {
  const [first] = (await loadedTest([check], files)).checks
  if (!first) throw new Error('the test has no check')
  return first
}

/** A context in which checks can be graded. */
export function gradingContext(more: Partial<GradingContext> = {}): GradingContext {
  return {
    host: nodeHost(),
    abort: new AbortController(),
    semaphore: new Semaphore(4),
    recordedPath: file => `<${file.split('/').at(-1)}>`,
    ...more,
  }
}

/** An answer of a test as something to be graded. */
export function subjectOf(test: Test, answer: Answer, workspace?: string): Subject {
  return { answer, test, target: 'default', trial: 1, folder: dirname(test.at.file), workspace }
}

/** What all checks of a test find in an answer. */
export function gradeTest(
  test: Test,
  answer: Answer,
  context: GradingContext = gradingContext(),
  askJudge: AskJudge = () => Promise.reject(new Error('no judge in this test')),
  workspace?: string,
): Promise<EvaluatorResult[]> {
  return gradeAnswer(test.checks, test.at.file, subjectOf(test, answer, workspace), askJudge, context)
}

/** What checks as they are written find in an answer. */
export async function gradeChecks(
  checks: readonly string[],
  answer: Answer,
  { fields, files }: Around = {},
): Promise<EvaluatorResult[]> {
  return gradeTest(await loadedTest(checks, files, fields), answer)
}

/** What a check as it is written finds in an answer; throws where it cannot be judged. */
export async function gradeOf(check: string, text: string, files: Record<string, string> = {}): Promise<Grade> {
  const [result] = await gradeChecks([check], { text }, { files })
  if (result?.score == null) throw new Error(result?.error?.message ?? 'there is no grade')
  return { score: result.score, hits: result.hits, misses: result.misses }
}
