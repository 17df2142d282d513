import { dirname } from 'node:path'
import { expect } from 'vitest'
import type { Check } from '../../src/evaluators/evaluator.ts'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Grade } from '../../src/model/grade.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import type { Test } from '../../src/spec/test.ts'
import { folderWith } from './program.ts'

/** A test with checks as they are written in the file, each on a line of its own. */
export async function loadedTest(checks: readonly string[], files: Record<string, string> = {}): Promise<Test> {
  const list = checks.map(check => `      - ${check}\n`).join('')
  const suite = `name: one\ntests:\n  - id: a\n    criteria: It is good\n    input: Hi\n    assert:\n${list}`
  const file = `${folderWith({ 'EVAL.yaml': suite, ...files })}/EVAL.yaml`
  const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(dirname(file)), evaluators })
  expect(diagnostics).toEqual([])
  const test = suites[0]?.tests[0]
  if (!test) throw new Error('the suite has no test')
  return test
}

export async function loadedCheck(check: string, files: Record<string, string> = {}): Promise<Check> {
  const [first] = (await loadedTest([check], files)).checks
  if (!first) throw new Error('the test has no check')
  return first
}

/** What a check as it is written finds in an answer. */
export async function gradeOf(check: string, text: string, files: Record<string, string> = {}): Promise<Grade> {
  const loaded = await loadedCheck(check, files)
  const grade = await loaded.evaluator.grade?.(
    loaded.config,
    { answer: { text } },
    { host: nodeHost(), files: loaded.files },
  )
  if (!grade) throw new Error(`${loaded.type} cannot be graded`)
  return grade
}
