import { lazily } from '../lib/lazily.ts'
import { madeOf } from '../lib/schemas/deferred.ts'
import { quoteCode } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import { firstProblem } from '../lib/zod-problem.ts'
import { nestedValue } from '../model/answer.ts'
import type { Evaluator } from '../model/evaluator.ts'
import { evaluatorResultSchema } from '../model/evaluator-result.ts'
import { type Grade, Unjudged } from '../model/grade.ts'

const gradeSchema = lazily(() => {
  const { hits, misses, reasoning, items, votes, pair, evaluator_results } = evaluatorResultSchema().shape
  return z.looseObject({
    ...{ hits, misses, reasoning, items, votes, pair, evaluator_results },
    score: z.number().min(0).max(1),
    negated_misses: z.array(z.string()).optional(),
    absent: z.literal(true).optional(),
    triggered: z.boolean().optional(),
    details: nestedValue().optional(),
  })
})

/** An evaluator that a program passes to the API. Its grades are checked: an invalid one is an error of its check. */
export function userEvaluator(evaluator: Evaluator): Evaluator {
  return {
    ...evaluator,
    grade: (config, subject, context) => {
      const grade = evaluator.grade(config, subject, context)
      return grade instanceof Promise ? grade.then(given => checkGrade(given, evaluator)) : checkGrade(grade, evaluator)
    },
  }
}

/** Returns a copy: the program may change what it returned. */
function checkGrade(given: Grade, { type }: Evaluator): Grade {
  const grade = parsedGrade(given, type)
  return grade.details === undefined ? grade : parsedGrade({ ...grade, details: jsonOf(grade.details, type) }, type)
}

function parsedGrade(given: unknown, type: string): Grade {
  const { success, data, error } = madeOf(gradeSchema()).safeParse(given)
  if (success) return data as Grade
  const { path, message } = firstProblem(error)
  throw unusable(type, `${path === '' ? '' : `${quoteCode(path)}: `}${message}`)
}

function jsonOf(details: unknown, type: string): unknown {
  try {
    const json = JSON.stringify(details)
    return json === undefined ? undefined : JSON.parse(json)
  } catch (error) {
    throw unusable(type, `${quoteCode('details')}: ${(error as Error).message}`)
  }
}

function unusable(type: string, reason: string): Unjudged {
  return new Unjudged(
    'judge-output',
    `the evaluator ${quoteCode(type)} returned a grade that cannot be used: ${reason}`,
  )
}
