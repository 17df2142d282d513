import type { BySource, NestedScores } from '../../../../src/lib/statistics/variance-split.ts'

interface Vector {
  readonly scores: NestedScores
  readonly output: {
    readonly mean: number
    readonly variance: BySource
    readonly share: BySource
    readonly trials: number
    readonly judge_calls: number
    readonly variance_of_mean: BySource
    readonly share_of_mean: BySource
    readonly se_of_mean: number
    readonly se_on_these_tests: number
  }
}

/** Computed by two independent implementations, and rounded to ten digits. */
export const VARIANCE_SPLITS: readonly Vector[] = [
  {
    scores: [
      [[1], [1], [1]],
      [[0], [1], [0]],
      [[1], [0], [1]],
      [[1], [1], [1]],
      [[0], [0], [0]],
      [[1], [1], [0]],
    ],
    output: {
      mean: 0.6111111111,
      variance: { test: 0.0962962963, trial: 0.1666666667, judge: null },
      share: { test: 0.3661971831, trial: 0.6338028169, judge: null },
      trials: 3,
      judge_calls: 1,
      variance_of_mean: { test: 0.0160493827, trial: 0.0092592593, judge: null },
      share_of_mean: { test: 0.6341463415, trial: 0.3658536585, judge: null },
      se_of_mean: 0.1590869007,
      se_on_these_tests: 0.0962250449,
    },
  },
  {
    scores: [
      [
        [0.9, 0.8],
        [0.7, 0.8],
        [0.9, 1],
      ],
      [
        [0.4, 0.5],
        [0.6, 0.5],
        [0.2, 0.4],
      ],
      [
        [1, 0.9],
        [0.9, 0.9],
        [1, 0.8],
      ],
      [
        [0.3, 0.5],
        [0.7, 0.6],
        [0.5, 0.5],
      ],
    ],
    output: {
      mean: 0.6791666667,
      variance: { test: 0.0539351852, trial: 0.0066666667, judge: 0.0079166667 },
      share: { test: 0.7871621622, trial: 0.0972972973, judge: 0.1155405405 },
      trials: 3,
      judge_calls: 2,
      variance_of_mean: { test: 0.0134837963, trial: 0.0005555556, judge: 0.0003298611 },
      share_of_mean: { test: 0.9383809907, trial: 0.0386629078, judge: 0.0229561015 },
      se_of_mean: 0.119871652,
      se_on_these_tests: 0.0297559518,
    },
  },
  {
    scores: [
      [
        [1, 0.9, 1],
        [0.8, 0.9],
      ],
      [
        [0.2, 0.3],
        [0.5, 0.4],
        [0.1, 0.2, 0.3],
      ],
      [
        [0.7, 0.6],
        [0.9, 0.8],
        [0.8, 0.8],
        [0.6, 0.7],
      ],
      [[0.5], [0.6, 0.4]],
    ],
    output: {
      mean: 0.6114583333,
      variance: { test: 0.0676935041, trial: 0.0053900463, judge: 0.0063333333 },
      share: { test: 0.8523817722, trial: 0.0678702821, judge: 0.0797479458 },
      trials: 2.5263157895,
      judge_calls: 1.8947368421,
      variance_of_mean: { test: 0.016923376, trial: 0.00053339, judge: 0.0003307774 },
      share_of_mean: { test: 0.9514172716, trial: 0.0299867152, judge: 0.0185960132 },
      se_of_mean: 0.1333699494,
      se_on_these_tests: 0.0293967241,
    },
  },
]
