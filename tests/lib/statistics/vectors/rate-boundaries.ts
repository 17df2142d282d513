interface Vector {
  readonly threshold: number
  readonly most: number
  readonly alpha: number
  readonly rho: number
  /** The passes, and the failures, that show it after so many tests as in LOOKS, up to the most; 0 where none do. */
  readonly passes_from: readonly number[]
  readonly failures_from: readonly number[]
  readonly first_above: number | undefined
  readonly first_below: number | undefined
  readonly spent_above: number
  readonly spent_below: number
}

export const LOOKS = [5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100] as const

/** Computed by two independent implementations, and rounded to twelve digits. */
export const RATE_BOUNDARIES: readonly Vector[] = [
  {
    threshold: 0.9,
    most: 20,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 0, 0],
    failures_from: [4, 5, 5, 6],
    first_above: undefined,
    first_below: 4,
    spent_above: 0,
    spent_below: 0.018444911409,
  },
  {
    threshold: 0.9,
    most: 50,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 0, 0, 0, 0, 40, 50],
    failures_from: [5, 6, 7, 7, 8, 9, 10, 11],
    first_above: 40,
    first_below: 4,
    spent_above: 0.014780882941,
    spent_below: 0.022619927181,
  },
  {
    threshold: 0.9,
    most: 100,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 0, 0, 0, 0, 0, 50, 60, 74, 78, 97],
    failures_from: [5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 18],
    first_above: 49,
    first_below: 5,
    spent_above: 0.021581975711,
    spent_below: 0.023820974033,
  },
  {
    threshold: 0.8,
    most: 50,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 0, 0, 25, 30, 38, 47],
    failures_from: [0, 8, 9, 10, 12, 13, 15, 17],
    first_above: 24,
    first_below: 6,
    spent_above: 0.019903065616,
    spent_below: 0.024061151327,
  },
  {
    threshold: 0.8,
    most: 100,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 0, 0, 0, 30, 39, 48, 56, 69, 73, 89],
    failures_from: [0, 8, 10, 11, 13, 14, 17, 19, 21, 25, 26, 30],
    first_above: 28,
    first_below: 6,
    spent_above: 0.024512492917,
    spent_below: 0.023935942518,
  },
  {
    threshold: 0.95,
    most: 100,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100],
    failures_from: [4, 5, 6, 6, 6, 7, 8, 8, 9, 10, 10, 11],
    first_above: 81,
    first_below: 4,
    spent_above: 0.015689605666,
    spent_below: 0.022442523366,
  },
  {
    threshold: 0.7,
    most: 30,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 0, 15, 19, 23, 27],
    failures_from: [0, 8, 10, 12, 14, 15],
    first_above: 15,
    first_below: 6,
    spent_above: 0.021661198517,
    spent_below: 0.024957114775,
  },
  {
    threshold: 0.5,
    most: 40,
    alpha: 0.025,
    rho: 2,
    passes_from: [0, 10, 14, 17, 20, 22, 28],
    failures_from: [0, 10, 14, 17, 20, 22, 28],
    first_above: 10,
    first_below: 10,
    spent_above: 0.021367700769,
    spent_below: 0.021367700769,
  },
  {
    threshold: 0.9,
    most: 100,
    alpha: 0.05,
    rho: 2,
    passes_from: [0, 0, 0, 0, 0, 0, 0, 50, 59, 73, 78, 96],
    failures_from: [5, 6, 7, 8, 8, 9, 10, 12, 13, 14, 15, 17],
    first_above: 45,
    first_below: 5,
    spent_above: 0.045224003901,
    spent_below: 0.047669628998,
  },
  {
    threshold: 0.9,
    most: 100,
    alpha: 0.025,
    rho: 3,
    passes_from: [0, 0, 0, 0, 0, 0, 0, 0, 60, 74, 79, 97],
    failures_from: [0, 7, 8, 9, 10, 10, 12, 13, 14, 15, 16, 18],
    first_above: 54,
    first_below: 6,
    spent_above: 0.019003735155,
    spent_below: 0.023769153949,
  },
]
