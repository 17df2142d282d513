interface Vector {
  readonly mean: number
  readonly values: readonly number[]
  readonly above: number
  readonly below: number
}

const ones = (count: number) => new Array<number>(count).fill(1)

/** Computed with Python, and rounded to twelve digits. */
export const MIXTURES: readonly Vector[] = [
  { mean: 0.5, values: [1, 1, 1, 1, 1, 1], above: 10.619158828391, below: 0.33691522153 },
  { mean: 0.9, values: [0, 0, 0, 0], above: 0.40394790398, below: 1163.597473596722 },
  { mean: 0.9, values: ones(60), above: 45.429260935763, below: 0.103797421722 },
  { mean: 0.8, values: [1, 1, 1, 0, 1, 0, 0, 1, 0, 0], above: 0.406414226394, below: 4.064451999061 },
  { mean: 0.8, values: [0.5, 0.6, 0.7, 0.4, 0.9, 0.55, 0.3, 0.65], above: 0.546097310596, below: 23.963731924603 },
  { mean: 0.5, values: [0, 0, 0.5, 0, 0.5, 0, 0, 0], above: 0.33691522153, below: 10.619158828391 },
  { mean: 0.7, values: [1, 0, 1, 0, 1, 0, 1, 0, 1, 0], above: 0.440678846872, below: 1.353559011305 },
  { mean: 0.95, values: ones(100), above: 17.691248239035, below: 0.077735465967 },
  { mean: 0.6, values: [0, 0, 0, 0, 0, 0, 0, 0], above: 0.294398328335, below: 143.040102993977 },
  { mean: 0.5, values: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], above: 1, below: 1 },
]
