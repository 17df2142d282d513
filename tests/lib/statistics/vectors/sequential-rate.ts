interface Vector {
  readonly threshold: number
  readonly most: number
  readonly alpha: number
  readonly rho: number
  /** A digit for each test, of which those after the decision are ignored. */
  readonly outcomes: string
  readonly after: number
  readonly passes: number
  readonly decision: string
  readonly low: number
  readonly high: number
}

/** Computed by two independent implementations; intervals are rounded to six digits. */
export const RATE_DECISIONS: readonly Vector[] = [
  {
    threshold: 0.9,
    most: 50,
    alpha: 0.025,
    rho: 2,
    outcomes: '10111001010000101111110111111110001011010110111101',
    after: 12,
    passes: 6,
    decision: 'below',
    low: 0.116767,
    high: 0.883233,
  },
  {
    threshold: 0.9,
    most: 50,
    alpha: 0.025,
    rho: 2,
    outcomes: '11111111111111111111111111111111111111111111111111',
    after: 40,
    passes: 40,
    decision: 'above',
    low: 0.901785,
    high: 1,
  },
  {
    threshold: 0.9,
    most: 100,
    alpha: 0.025,
    rho: 2,
    outcomes: '0111011011111111111110111110110110111011111101111101111101101110110111111001010111001111111111110111',
    after: 67,
    passes: 53,
    decision: 'below',
    low: 0.64009,
    high: 0.897326,
  },
  {
    threshold: 0.9,
    most: 100,
    alpha: 0.025,
    rho: 2,
    outcomes: '1111111111111111111111111110111111111111110111111101111111010111111111110111111111111110111111111111',
    after: 90,
    passes: 83,
    decision: 'not-shown',
    low: 0.832921,
    high: 0.970507,
  },
  {
    threshold: 0.8,
    most: 50,
    alpha: 0.025,
    rho: 2,
    outcomes: '01101101111000011011001000110010100101000010000110',
    after: 24,
    passes: 13,
    decision: 'below',
    low: 0.265824,
    high: 0.799666,
  },
  {
    threshold: 0.8,
    most: 100,
    alpha: 0.025,
    rho: 2,
    outcomes: '1111111111111101010111010101111111111011111111101111111111111001111111111011110011101111111101111111',
    after: 85,
    passes: 71,
    decision: 'not-shown',
    low: 0.720798,
    high: 0.914979,
  },
  {
    threshold: 0.8,
    most: 100,
    alpha: 0.025,
    rho: 2,
    outcomes: '0111111111111111111111111111111111101111111111111111111111111101101111111111101111101111111111111111',
    after: 46,
    passes: 44,
    decision: 'above',
    low: 0.805245,
    high: 0.997661,
  },
  {
    threshold: 0.95,
    most: 100,
    alpha: 0.025,
    rho: 2,
    outcomes: '0110101111011111011010111111111111111011110111110111110101110101011111100111110111010011110111110111',
    after: 20,
    passes: 14,
    decision: 'below',
    low: 0.326237,
    high: 0.940563,
  },
  {
    threshold: 0.7,
    most: 30,
    alpha: 0.025,
    rho: 2,
    outcomes: '000001000000000110010000010011',
    after: 8,
    passes: 1,
    decision: 'below',
    low: 0.000222,
    high: 0.696365,
  },
  {
    threshold: 0.5,
    most: 40,
    alpha: 0.025,
    rho: 2,
    outcomes: '1111111110111111111111011111111010111111',
    after: 13,
    passes: 12,
    decision: 'above',
    low: 0.508789,
    high: 0.999797,
  },
]
