import { dirname } from 'node:path'
import type { Answer } from '../../../src/model/answer.ts'
import type { EvaluatorResult } from '../../../src/model/evaluator-result.ts'
import { messageText } from '../../../src/model/message.ts'
import type { JudgeRequest } from '../../../src/model/prompt.ts'
import { gradeTest, gradingContext, loadTest, type TestContext } from '../checks.ts'

type Reply = string | Partial<Answer> | Error

export interface ScriptedGrading {
  /** The folder of the suite. */
  readonly folder: string
  readonly results: readonly EvaluatorResult[]
  /** The texts of the messages to the judge, per call. */
  readonly asked: readonly (readonly string[])[]
  readonly requests: readonly JudgeRequest[]
}

/** Grades checks with a judge that gives these replies in order; the last is repeated. */
export async function judgedBy(
  checks: readonly string[],
  replies: readonly Reply[],
  { text = 'Hello Alice!', workspace, ...around }: TestContext & { text?: string; workspace?: string } = {},
): Promise<ScriptedGrading> {
  const requests: JudgeRequest[] = []
  const askJudge = async (_: unknown, request: JudgeRequest) => {
    // A copy, since messages are appended after an invalid reply.
    requests.push({ ...request, messages: [...request.messages] })
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? ''
    if (reply instanceof Error) throw reply
    return typeof reply === 'string' ? { text: reply } : { text: '', ...reply }
  }
  const test = await loadTest(checks, around.files, around.fields)
  const results = await gradeTest(test, { text }, gradingContext(), askJudge, workspace)
  return {
    folder: dirname(test.at.file),
    results,
    requests,
    asked: requests.map(({ messages }) => messages.map(messageText)),
  }
}
