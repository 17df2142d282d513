import { expect, it } from 'vitest'
import { shortHash } from '../../src/lib/sha256.ts'
import { instrumentOf } from '../../src/model/calibration.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'

/** Checks that use each of our own prompts, with the hashes of what the judge is asked. */
const PROMPTS = {
  '{type: llm_judge}': '67a9d40dac5d44eb',
  '{type: llm_judge, rubrics: [{id: a, outcome: It greets}, {id: b, outcome: It is short, required: true}]}':
    '47bb5f9ef42f9e19',
  '{type: llm_judge, prompt: "Is it friendly? {{answer}}"}': '8565dfda664e0272',
  '{type: rubrics, criteria: [{id: a, outcome: It greets, score_ranges: [{score_range: [0, 5], outcome: No}, {score_range: [6, 10], outcome: Yes}]}]}':
    '8c5bddbf9a7e5bfd',
  '{type: agent_judge}': '1bd015aa48288a57',
  '{type: pairwise, criteria: It is friendly}': '21a7e4be4934505a',
}

/** What `instrumentOf` makes of the version of our prompts. */
const VERSION = '431b4b6b3cf9b6da'

const ADVICE =
  'Our prompts for judges changed, so that old calibrations do not hold: raise JUDGE_VERSION in src/model/calibration.ts, then write the new hashes here.'

it('makes calibrations stale when our own prompts for judges change', async () => {
  const found: Record<string, string> = {}
  for (const check of Object.keys(PROMPTS)) {
    const fields = 'note: Be lenient.\nexpected_output: Hello'
    // After a reply that cannot be read, the judge is asked again in other words.
    const { requests } = await judgedBy([check], ['I will not say'], { fields })
    expect(requests.length, check).toBeGreaterThan(0)
    found[check] = shortHash(JSON.stringify(requests.map(({ messages, reply_schema }) => [messages, reply_schema])))
  }
  expect(found, ADVICE).toEqual(PROMPTS)
  expect(instrumentOf({ checks_hash: 'checks', judges_hash: 'judges' }), ADVICE).toBe(VERSION)
})
