import { evaluators } from '../../evaluators/index.ts'
import { canonicalType, type EvaluatorLookup, lookupOf } from '../../evaluators/lookup.ts'
import { namesCalls } from '../../evaluators/shared/subject-sentences.ts'
import { formatJson } from '../../lib/json/stringify.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import { asText } from '../../model/messages/content-text.ts'
import { callsIn } from '../../model/messages/subagents.ts'
import type { Result } from '../../model/result.ts'
import type { ShownAnswer } from '../../model/shown-answer.ts'
import { counts } from '../../model/verdict.ts'
import { expectedText, inputText } from '../../report/result-texts.ts'

/** The part of a result that a person sees: nothing of target, trial, cost, time, score, verdict or reasoning. */
export function showAnswer(result: Result): ShownAnswer {
  const { answer, criteria, note, changes, output_messages: messages } = result
  // A check that does not apply says nothing about the answer.
  const checks = result.evaluator_results.filter(counts)
  return {
    question: inputText(result),
    answer: answer ?? '',
    criteria,
    note,
    expected: expectedText(result),
    // A test without checks of its own is judged by its criteria.
    checks: checks.flatMap(checkTexts).filter(text => text !== criteria),
    changes,
    calls: messages && checks.some(isAboutCalls) ? callTexts(messages) : undefined,
  }
}

/** A check in words: its items one by one, if it has any. */
function checkTexts({ text, items, negate, pair }: EvaluatorResult): string[] {
  if (items && !negate) return items.map(item => `${item.text}${item.required ? ' (required)' : ''}`)
  // The other answer may be that of a target with a name.
  return [pair && pair.against !== 'expected_output' ? text.replaceAll(pair.against, 'another answer') : text]
}

let lookup: EvaluatorLookup | undefined

function isAboutCalls({ type, text, evaluator_results: inside = [] }: EvaluatorResult): boolean {
  lookup ??= lookupOf(evaluators)
  return lookup.get(canonicalType(type))?.about_calls === true || namesCalls(text) || inside.some(isAboutCalls)
}

/** The longest input of a call that is shown. */
const LONGEST_INPUT = 10_000

/** Calls without their times; names are those that all agents share. */
function callTexts(messages: NonNullable<Result['output_messages']>): string[] {
  return callsIn(messages).map(({ tool, input, output, error }) => {
    const result = error === undefined ? output : `error: ${error}`
    return `${tool} ${input === undefined ? '' : formatJson(input, LONGEST_INPUT)}${result === undefined ? '' : `\n${asText(result)}`}`
  })
}
