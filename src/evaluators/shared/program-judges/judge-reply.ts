import { findJsonObjects } from '../../../lib/json/find-objects.ts'
import { truncateForMessage } from '../../../lib/text/quote.ts'
import { firstProblem } from '../../../lib/zod-problem.ts'
import { type Grade, Unjudged } from '../../../model/grade.ts'
import type { ProgramEnd } from '../../../model/host.ts'
import { judgeOutputSchema } from '../../../model/judge-protocol.ts'
import { describeStderr } from '../../../model/program.ts'
import { hitsAndMisses } from '../fact.ts'

/** Reads the grade from the output of a judge: the last JSON object with a score or with assertions. */
export function judgeReply(end: ProgramEnd): Grade {
  let last: { readonly value: Record<string, unknown>; readonly text: string } | undefined
  for (const text of findJsonObjects(end.stdout)) {
    const value = JSON.parse(text)
    if ('score' in value || 'assertions' in value) last = { value, text }
  }
  if (!last) throw unusable(`no JSON object with a \`score\`: ${outputText(end.stdout)}`, end)
  const parsed = judgeOutputSchema().safeParse(last.value)
  if (!parsed.success) {
    const { path, message } = firstProblem(parsed.error)
    throw unusable(`a \`${path}\` that cannot be used (${message}): ${outputText(last.text)}`, end)
  }
  const { score, hits, misses, reasoning, details, assertions = [] } = parsed.data
  const claims = hitsAndMisses(
    assertions.map(({ text, passed, evidence }) => ({ kept: passed, text: evidence ? `${text}: ${evidence}` : text })),
  )
  return {
    score: score ?? claims.hits.length / assertions.length,
    hits: [...(hits ?? []), ...claims.hits],
    misses: [...(misses ?? []), ...claims.misses],
    reasoning: reasoning ?? undefined,
    details: details ?? undefined,
  }
}

function unusable(what: string, end: ProgramEnd): Unjudged {
  return new Unjudged('judge-output', `the judge printed ${what}${describeStderr(end)}`)
}

function outputText(text: string): string {
  return truncateForMessage(text.trim()) || 'nothing'
}
