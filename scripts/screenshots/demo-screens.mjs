const ANSWER = `Thanks for asking! Here is **what you need to know**:

1. Goods can be returned within 14 days.
2. Keep your *receipt*, and use the \`RETURNS\` form.

| Item | Days |
|---|---|
| Shoes | 14 |
| Books | 30 |
`

/** A run that goes on, for a picture. */
export function demoLive() {
  const reasons = ['says-days: does not contain "30 days"', 'timeout: no answer within 60 s', 'polite: not satisfied']
  return {
    is_live: true,
    status: {
      total: 400,
      done: 148,
      elapsed_ms: 62_000,
      left_ms: 104_000,
      cost_usd: 1.42,
      budget_usd: 5,
      running: ['refund-policy on large', 'delivery on small', 'warranty on large', 'gift-card on small trial 2'].map(
        (name, index) => ({ name, ms: 800 + index * 900 }),
      ),
      waiting: [
        { target: 'large', attempts: 12, ms: 4200, reason: 'rate limit: next request in 8 s' },
        { target: 'small', attempts: 3, ms: 900, reason: 'at most 4 attempts at once' },
      ],
      evidence: [],
    },
    counts: { pass: 121, borderline: 9, fail: 15, error: 3 },
    latest_failures: Array.from({ length: 7 }, (_, index) => ({
      index,
      name: ['refund-policy', 'delivery', 'warranty', 'gift-card', 'opening-hours', 'complaint', 'invoice'][index],
      target: index % 2 === 0 ? 'small' : 'large',
      verdict: index % 3 === 1 ? 'error' : 'fail',
      reason: reasons[index % 3],
    })),
  }
}

/** An answer to label. */
export function demoLabel() {
  return {
    number: 3,
    of: 50,
    labelled: 2,
    by: 'ada',
    shown: {
      question: 'How long can I return something?',
      criteria: 'Names 30 days and the receipt',
      checks: ['Output names the number of days', 'Output asks for the receipt'],
      expected: 'Within 30 days, with the receipt.',
      answer: ANSWER,
    },
  }
}

/** Two runs compared. */
export function demoComparison() {
  const evidence = (mean, low, high) => ({ mean, interval: { low, high } })
  const slice = (name, tests, verdict, ...figures) => ({ name, tests, verdict, evidence: evidence(...figures) })
  return {
    comparison: {
      comparisons: [
        {
          verdict: 'worse',
          margin: 0.02,
          is_same_run: false,
          pairs: Array.from({ length: 40 }),
          evidence: evidence(-0.221, -0.334, -0.108),
          pass_evidence: evidence(-0.25, -0.392, -0.108),
          slices: [
            slice('returns', 14, 'worse', -0.412, -0.588, -0.236),
            slice('tone', 12, 'inconclusive', -0.091, -0.274, 0.092),
            slice('tools', 14, 'equivalent', 0.004, -0.014, 0.019),
          ],
        },
      ],
    },
    notes: ['the runs were judged by different models: differences may come from the judges'],
    sections: [demoSection()],
    changed: ['refund-policy', 'delivery', 'warranty', 'gift-card', 'complaint'].map((test_id, index) => ({
      test_id,
      suite: 'support',
      target: 'large',
      before: { run: BASE, index, verdict: index === 4 ? 'fail' : 'pass', score: index === 4 ? 0.4 : 1 },
      after: { run: OTHER, index, verdict: index === 4 ? 'pass' : 'fail', score: index === 4 ? 1 : 0.3 },
    })),
  }
}

export const BASE = '20261119-021500-ea3b'
export const OTHER = '20261120-021500-ee0c'

function demoSection() {
  return {
    title: `${OTHER} against ${BASE}`,
    before: BASE,
    after: OTHER,
    verdict: 'worse',
    verdict_text: 'worse by more than the margin of 0.02',
    metrics: [
      ['pass rate', '88 % [74–95]', '63 % [47–76]', '−25 points [−39 to −11], p = 0.0012'],
      ['score', '0.91 [0.84–0.96]', '0.69 [0.58–0.79]', '−0.221 [−0.334 to −0.108], p = 0.0004'],
      ['cost', '$0.0104', '$0.0071', '−$0.0033 [−$0.0035 to −$0.0031], −32 % [−34 to −30 %]'],
      ['time', '2.4 s', '1.9 s', '−512 ms [−640 ms to −384 ms], −21 % [−26 to −16 %]'],
    ].map(([name, before, after, difference]) => ({ name, before, after, difference })),
    notes: ['40 tests compared: 1 improved, 11 worse, 28 the same'],
    lists: [],
  }
}

/** The answers of both runs to a test that changed. */
export function demoAnswers(run) {
  const isBase = run === BASE
  const miss = 'does not contain "30 days"'
  return [
    {
      trial: 1,
      verdict: isBase ? 'pass' : 'fail',
      answer: isBase ? 'Within 30 days, with the receipt.' : ANSWER,
      misses: isBase ? [] : [miss],
      evaluator_results: [],
    },
  ]
}
