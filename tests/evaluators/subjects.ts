import type { Answer } from '../../src/model/answer.ts'
import { gradeTest, gradingContext, loadTest } from '../support/checks.ts'
import { folderWith } from '../support/program.ts'

const DIFF = '--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1,2 @@\n+const a = 1\n+const b = 2\n'
const hash = 'x'
/** An answer of an agent with a workspace and a mocked server. */
export const ANSWER: Answer = {
  text: 'Done',
  output_messages: [
    { role: 'assistant', content: 'Looking', tool_calls: [{ tool: 'Bash', input: { command: 'ls' }, output: 'a\nb' }] },
    { role: 'assistant', content: 'Done' },
  ],
  changes: [
    { path: 'gone.txt', state: 'deleted', before: { size: 1, hash } },
    { path: 'img.png', state: 'created', after: { size: 9, hash }, diff_cut: 'binary' },
    { path: 'src/a.ts', state: 'created', after: { size: 24, hash }, diff: DIFF },
    {
      path: 'src/b.ts',
      state: 'modified',
      before: { size: 1, hash },
      after: { size: 2, hash },
      diff: '@@ -1 +1 @@\n-x\n+y\n',
    },
  ],
  mock_calls: [
    { server: 'orders', tool: 'cancel', input: { id: 'A1' }, output: { ok: true } },
    { server: 'orders', tool: 'refund', error: 'off' },
  ],
  state: { orders: { A1: { status: 'cancelled', items: [1, 2] } }, name: 'x' },
}

/** The results of checks and of their negations. */
export async function grade(checks: readonly string[], answer = ANSWER, workspace?: string, fields = '') {
  const test = await loadTest(
    checks.map(check => `{type: ${check}}`),
    {},
    fields,
  )
  return gradeTest(test, answer, gradingContext(), undefined, workspace)
}

/** The score or error code of a check, and of its negation. */
export async function scores(check: string, answer = ANSWER, workspace?: string) {
  const results = await grade([check, `${check}, negate: true`], answer, workspace)
  return results.map(({ score, error }) => error?.code ?? score)
}

export const workspace = () => folderWith({ 'src/a.ts': 'const a = 1\n', 'data.json': '{"total": 3}' })
