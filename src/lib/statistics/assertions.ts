/** Squares and sums of larger numbers would overflow. */
const LARGEST = 1e200

/** These assertions throw for what only a bug can pass in: NaN would hide it. */
export function assertFinite(what: string, value: number): void {
  if (!Number.isFinite(value)) throw new RangeError(`${what} must be a finite number: ${value}.`)
}

export function assertPositive(what: string, value: number): void {
  assertFinite(what, value)
  if (value <= 0) throw new RangeError(`${what} must be above 0: ${value}.`)
}

export function assertCount(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} must be a count: ${value}.`)
}

export function assertPart(part: number, whole: number): void {
  if (part > whole) throw new RangeError(`${part} of ${whole}: the part is larger than the whole.`)
}

/** From 0 to 1, inclusive. */
export function assertProbability(what: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${what} must be from 0 to 1: ${value}.`)
}

/** Between 0 and 1, exclusive. */
export function assertBetween0And1(what: string, value: number): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${what} must be between 0 and 1: ${value}.`)
}

/** The difference of two values in 0..1. */
export function assertDifference(value: number): void {
  if (!(value >= -1 && value <= 1)) throw new RangeError(`A difference must be from −1 to 1: ${value}.`)
}

export function assertNumbers(values: readonly number[]): void {
  if (values.length === 0) throw new RangeError('There are no numbers.')
  const stray = values.find(value => !(Math.abs(value) <= LARGEST))
  if (stray !== undefined) throw new RangeError(`Numbers must be finite and at most ${LARGEST}: ${stray}.`)
}

export function assertKeyForEach(values: readonly unknown[], keys: readonly unknown[]): void {
  if (keys.length !== values.length) throw new RangeError(`${values.length} numbers with ${keys.length} cluster keys.`)
}
