import { cutText } from '../../lib/cut-text.ts'
import { jsonObjectsIn } from '../../lib/json-objects.ts'
import { type Grade, Unjudged } from '../../model/grade.ts'
import { judgeOutputSchema } from '../../model/judge-output.ts'
import { hitsAndMisses } from './fact.ts'

/** The grade in what a program printed: the last JSON object with a score, or with claims, counts. */
export function judgeReply(stdout: string): Grade {
  let last: Record<string, unknown> | undefined
  for (const object of jsonObjectsIn(stdout)) {
    if ('score' in object || 'assertions' in object) last = object
  }
  if (!last) throw unusable(`printed no JSON object with a \`score\`: ${begin(stdout)}`)
  const parsed = judgeOutputSchema.safeParse(last)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw unusable(
      `printed a \`${issue?.path.join('.')}\` that cannot be used (${issue?.message}): ${begin(JSON.stringify(last))}`,
    )
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

function unusable(message: string): Unjudged {
  return new Unjudged('judge-output', `the judge ${message}`)
}

function begin(text: string): string {
  return text.trim() === '' ? 'nothing' : cutText(text.trim(), 200)
}
