import { type CodeEntry, meaning, warning } from './code-entry.ts'

/** The diagnostics of `assay check`. */
export const CHECK_CODES = {
  'broken-test': meaning(
    'The reference answer of a test, its `expected_output` or a golden answer, does not pass the test, so that no agent is shown to be able to.',
    'Correct the reference, or the checks that reject it. If `expected_output` only describes a good answer, write one as a golden answer in `.assay/golden`.',
  ),
  'vacuous-check': warning(
    'A check accepts every answer that it was tried with, or one with other values than the expected ones. It cannot fail a wrong answer.',
    'Correct the check, or remove it.',
  ),
  'impossible-check': warning(
    'A check rejects every answer that it was tried with, also those that were made from its own words.',
    'Correct the check. A regular expression must be able to match; a negated check must not forbid everything.',
  ),
  'accepts-non-answer': warning(
    'A test asks for an answer, but passes without one: with an empty answer, `I do not know`, or a text about something else.',
    'Make the check that asks for the answer `required`, raise its weight or the threshold, or add a check.',
  ),
  'accepts-no-calls': warning(
    'The checks of a test expect tool calls, but an agent that calls no tool passes all of them.',
    'Use another `mode` than `subset`, add `minimums`, or add a check of type `tool_used`.',
  ),
  'indistinct-tests': warning(
    'Tests with different reference answers accept the answers of each other, so they measure the same, or less than they seem to.',
    'Check what sets the answers apart, or remove all but one of the tests.',
  ),
  'judge-without-answer': warning(
    'The prompt of a judge fills in the question, the criteria or the reference, but not the answer that it judges.',
    'Write `{{answer}}` in the prompt.',
  ),
  'unmatched-golden': warning(
    'A golden answer belongs to no test of its suite, so it is never used.',
    'Name the file after the id of a test, or remove it.',
  ),
} as const satisfies Record<string, CodeEntry>
