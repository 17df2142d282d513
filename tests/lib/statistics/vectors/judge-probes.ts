/** Computed with another program and rounded to ten digits. */
export const CONSISTENCIES = [
  {
    calls: 5,
    passes: [5, 5, 4, 0, 0, 1, 5, 5, 3, 5],
    output: {
      agreement_of_two_calls: 0.86,
      se: 0.0733333333,
      answers_that_flip: 3,
      flip_rate_interval: [0.1077912674, 0.6032218525],
    },
  },
  {
    calls: 3,
    passes: [3, 3, 3, 0, 0, 0],
    output: { agreement_of_two_calls: 1.0, se: 0.0, answers_that_flip: 0, flip_rate_interval: [0.0, 0.3903342879] },
  },
  {
    calls: 2,
    passes: [2, 1, 0, 2, 1, 2, 2, 0],
    output: {
      agreement_of_two_calls: 0.75,
      se: 0.1636634177,
      answers_that_flip: 2,
      flip_rate_interval: [0.0714792128, 0.5907245697],
    },
  },
] as const

/** Computed with another program and rounded to ten digits. */
export const LENGTH_PROBES = [
  {
    characters: [100, 200, 400, 800, 1600, 3200],
    human: [0.8, 0.8, 0.7, 0.9, 0.6, 0.7],
    judge: [0.7, 0.75, 0.7, 0.95, 0.75, 0.9],
    output: { per_doubling: 0.0614285714, se: 0.0038685897, interval: [0.0506876444, 0.0721694984], p: 9.19356e-5 },
  },
  {
    characters: [120, 340, 560, 910, 1500, 220, 75, 640],
    human: [1, 0, 1, 1, 0, 1, 0, 1],
    judge: [1, 0, 1, 1, 1, 1, 0, 1],
    output: { per_doubling: 0.133064854, se: 0.0812625701, interval: [-0.0657774916, 0.3319071997], p: 0.1526469676 },
  },
] as const
