import { dirname } from 'node:path'
import { expect } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { Semaphore } from '../../src/lib/semaphore.ts'
import type { Answer } from '../../src/model/answer.ts'
import type { Check } from '../../src/model/check.ts'
import type { Subject } from '../../src/model/evaluator.ts'
import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import type { Grade } from '../../src/model/grade.ts'
import type { Test } from '../../src/model/test.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { gradeAnswer } from '../../src/run/grade-answer.ts'
import type { AskJudge, GradingContext } from '../../src/run/grading.ts'
import { folderWith } from './program.ts'

export interface TestContext {
  /** Lines of the test besides its checks, such as `expected_output: yes`. */
  readonly fields?: string
  /** Files beside the suite. */
  readonly files?: Record<string, string>
}

const SERVER = { tools: { get: { returns: 1 } } }
/** Mocked servers, which checks can look at. */
const MOCKS = { orders: SERVER, s: SERVER, toString: SERVER }

/** Loads a test whose checks are given as YAML, one per line, with all diagnostics. */
export async function loadTestWithDiagnostics(
  checks: readonly string[],
  { fields = '', files = {} }: TestContext = {},
) {
  const list = checks.map(check => `      - ${check}\n`).join('')
  const more = fields === '' ? '' : `    ${fields.trim().replaceAll('\n', '\n    ')}\n`
  const suite = `name: one\ntests:\n  - id: a\n    criteria: It is good\n    input: Hi\n    assert:\n${list}${more}mocks: ${JSON.stringify(MOCKS)}\n`
  const file = `${folderWith({ 'EVAL.yaml': suite, ...files })}/EVAL.yaml`
  const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(dirname(file)), evaluators })
  return { test: suites[0]?.tests[0], diagnostics }
}

/** Loads a test that must be valid. */
export async function loadTest(
  checks: readonly string[],
  files: Record<string, string> = {},
  fields = '',
): Promise<Test> {
  const { test, diagnostics } = await loadTestWithDiagnostics(checks, { files, fields })
  expect(diagnostics).toEqual([])
  if (!test) throw new Error('the suite has no test')
  return test
}

export async function loadCheck(check: string, files: Record<string, string> = {}): Promise<Check> {
  const [first] = (await loadTest([check], files)).checks
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

/** The answer of a test as the subject of its checks. */
export function subjectOf(test: Test, answer: Answer, workspace?: string): Subject {
  return { answer, test, target: 'default', trial: 1, folder: dirname(test.at.file), workspace }
}

/** Grades an answer with all checks of a test. */
export function gradeTest(
  test: Test,
  answer: Answer,
  context: GradingContext = gradingContext(),
  askJudge: AskJudge = () => Promise.reject(new Error('no judge in this test')),
  workspace?: string,
): Promise<EvaluatorResult[]> {
  return gradeAnswer({ test, target: { name: 'default' } }, subjectOf(test, answer, workspace), askJudge, context)
}

/** Grades an answer with checks given as YAML. */
export async function gradeChecks(
  checks: readonly string[],
  answer: Answer,
  { fields, files }: TestContext = {},
): Promise<EvaluatorResult[]> {
  return gradeTest(await loadTest(checks, files, fields), answer)
}

/** Grades a text with a check given as YAML; throws if the check has an error. */
export async function gradeOf(check: string, text: string, files: Record<string, string> = {}): Promise<Grade> {
  const [result] = await gradeChecks([check], { text }, { files })
  if (result?.score == null) throw new Error(result?.error?.message ?? 'no grade')
  return { score: result.score, hits: result.hits, misses: result.misses }
}
