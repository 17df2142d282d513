import { quoteCode } from '../../lib/text/quote.ts'
import { messageText } from '../../model/message.ts'
import type { Test } from '../../model/test.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { Case, CaseContext } from './case-context.ts'
import { caseSettings } from './case-settings.ts'
import { graderFiles } from './grader-files.ts'
import { historyLines } from './history.ts'
import { fitsBody, markdownFile, unmarkedFile, yamlFile } from './marked-text.ts'
import { mockFiles, ownServers } from './mock-files.ts'
import { testLosses } from './plugin-issues.ts'
import { scaffoldFile } from './scaffold.ts'

/** Converts a test into the folder of a case. */
export function caseFiles(test: Test, name: string, context: CaseContext): Case {
  const { mark } = context
  const { files: graders, issues: checkIssues } = graderFiles(test, name, mark)
  const prompt = messageText(test.input.findLast(({ role }) => role === 'user'))
  const issues = [...emptyPrompt(test, prompt), ...checkIssues]
  if (graders.length === 0) return { test, files: [], graders: 0, issues: [...issues, leftOut(test)] }
  const settings = caseSettings(test, name, context)
  const scaffold = scaffoldFile(test, name, context)
  const history = historyLines(test.input)
  const mocks = mockFiles(ownServers(test, context.shared), `${name}/mocks`, mark)
  const isBody = fitsBody(prompt)
  const whole = {
    execution: isBody ? {} : { prompt },
    context: {
      ...(history === undefined ? {} : { history_file: HISTORY }),
      ...(scaffold ? { scaffold_script: SCAFFOLD } : {}),
      ...settings.context,
    },
  }
  const needsWhole = !isBody || Object.keys(whole.context).length > 0
  const promptFile = `${name}/prompt.md`
  const files = [
    markdownFile(promptFile, mark, settings.keys, isBody ? prompt : ''),
    ...(needsWhole ? [yamlFile(`${name}/case.yaml`, mark, { schema_version: '1.0', name: test.id, ...whole })] : []),
    ...(history === undefined ? [] : [unmarkedFile(`${name}/${HISTORY}`, history, promptFile)]),
    ...(scaffold ? [{ ...scaffold, file: `${name}/${SCAFFOLD}` }] : []),
    ...graders,
    ...mocks.files,
  ]
  const lost = [...testLosses(test, context.suite), ...settings.lost, ...mocks.lost]
  return { test, files, graders: graders.length, issues: [...issues, ...lossesOf(test, lost)] }
}

export const HISTORY = 'history.jsonl'
const SCAFFOLD = 'scaffold.sh'

function emptyPrompt({ id, at }: Test, prompt: string): TranspileIssue[] {
  if (prompt.trim() !== '') return []
  const message = `${quoteCode(id)} has no user message with text to use as the prompt`
  const hint = 'add a user message with text, or remove the test'
  return [{ code: 'empty-prompt', at: at.child('input'), message, hint }]
}

function leftOut({ id, at }: Test): TranspileIssue {
  const message = `${quoteCode(id)} is left out: plugin evals cannot express any of its checks`
  return { code: 'unsaid', at, message, hint: 'add a rubric or a check of the text' }
}

function lossesOf({ id, at }: Test, lost: readonly string[]): TranspileIssue[] {
  if (lost.length === 0) return []
  const message = `plugin evals cannot express these parts of ${quoteCode(id)}: ${[...new Set(lost)].join(', ')}`
  return [{ code: 'unsaid', at, message, hint: 'keep EVAL.yaml as the source' }]
}
