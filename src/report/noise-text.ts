import { formatPercent } from '../lib/text/format.ts'
import { estimatesOf, type Noise } from './outcome/estimates.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'

/** `noise of the mean score ±0.12, on these tests alone ±0.07: 64 % from tests, 36 % from trials; more tests help most`. */
export function noiseText(tests: readonly TestOutcome[]): string {
  const { noise } = estimatesOf(tests)
  if (!noise) return ''
  const { half_width, share_of_tests, share_of_trials, share_of_judge_calls } = noise
  const shares = [
    `${formatPercent(share_of_tests)} from tests${share_of_trials === undefined ? ' and trials' : ''}`,
    ...(share_of_trials === undefined ? [] : [`${formatPercent(share_of_trials)} from trials`]),
    ...(share_of_judge_calls === undefined ? [] : [`${formatPercent(share_of_judge_calls)} from judge calls`]),
  ]
  return `noise of the mean score ±${half_width.toFixed(2)}${aloneText(noise)}: ${shares.join(', ')}${adviceText(noise)}`
}

/** `, on these tests alone ±0.07`; with one trial per test, only the noise on these answers is known. */
function aloneText({ half_width_on_these_tests: tests, half_width_on_these_answers: answers }: Noise): string {
  if (tests !== undefined) return `, on these tests alone ±${tests.toFixed(2)}`
  return answers === undefined ? '' : `, on these answers alone ±${answers.toFixed(2)}`
}

/** Repeats measure the noise of a judge; votes reduce it. */
const MORE = { test: 'more tests', trial: 'more trials', judge: 'more votes' }

/** `; more tests help most, on these tests more votes`. */
function adviceText(noise: Noise): string {
  const { share_of_tests, share_of_trials = 0, share_of_judge_calls, most_useful: best } = noise
  if (share_of_judge_calls === undefined)
    return share_of_tests >= share_of_trials ? '; more tests help most' : '; more trials or more tests help'
  const here = noise.most_useful_on_these_tests
  if (best === undefined) return ''
  return `; ${MORE[best]} help most${here === undefined || here === best ? '' : `, on these tests ${MORE[here]}`}`
}
