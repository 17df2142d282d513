import { dirname } from 'node:path'
import type { Answer } from '../../../src/model/answer.ts'
import { messageText } from '../../../src/model/message.ts'
import type { JudgeRequest } from '../../../src/model/prompt.ts'
import type { EvaluatorResult } from '../../../src/model/result.ts'
import { type Around, gradeTest, gradingContext, loadedTest } from '../checks.ts'

type Reply = string | Partial<Answer> | Error

export interface JudgedChecks {
  /** The folder of the suite. */
  readonly folder: string
  readonly results: readonly EvaluatorResult[]
  /** What the judge was asked, call by call, as the texts of the messages. */
  readonly asked: readonly (readonly string[])[]
  readonly requests: readonly JudgeRequest[]
}

/** Grades checks with a judge that gives these replies, one after another; the last one again and again. */
export async function judgedBy(
  checks: readonly string[],
  replies: readonly Reply[],
  { text = 'Hello Alice!', workspace, ...around }: Around & { text?: string; workspace?: string } = {},
): Promise<JudgedChecks> {
  const requests: JudgeRequest[] = []
  const askJudge = async (_: unknown, request: JudgeRequest) => {
    // The messages go on after a reply that cannot be used.
    requests.push({ ...request, messages: [...request.messages] })
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? ''
    if (reply instanceof Error) throw reply
    return typeof reply === 'string' ? { text: reply } : { text: '', ...reply }
  }
  const test = await loadedTest(checks, around.files, around.fields)
  const results = await gradeTest(test, { text }, gradingContext(), askJudge, workspace)
  return {
    folder: dirname(test.at.file),
    results,
    requests,
    asked: requests.map(({ messages }) => messages.map(messageText)),
  }
}
