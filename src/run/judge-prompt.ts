import { dirname } from 'node:path'
import { shortHash } from '../lib/sha256.ts'
import type { Attempt } from '../model/attempt.ts'
import type { JudgeRequest } from '../model/judge-request.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Target } from '../model/target.ts'

/** What a judge of an attempt is asked. */
export function judgePrompt(request: JudgeRequest, judge: Target, attempt: Attempt): Prompt {
  const hasSystem = request.messages.some(({ role }) => role === 'system')
  return {
    messages: request.messages,
    reply_schema: request.reply_schema,
    temperature: request.temperature,
    look: request.look,
    system_prompt: hasSystem ? undefined : judge.settings.system_prompt,
    test_id: attempt.test.id,
    suite: attempt.suite.name,
    folder: dirname(attempt.suite.file),
    trial: attempt.trial,
    target: judge.name,
    attempt_id: attempt.id,
    request_id: shortHash(JSON.stringify(request.messages)),
  }
}
