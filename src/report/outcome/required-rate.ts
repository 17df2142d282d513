/** Whether a rate is below the required one, except for rounding. */
export function isBelow(rate: number, required: number): boolean {
  return rate < required - 1e-9
}

/** Formats a rate with enough digits to show that it is below the required one. */
export function percentAgainst(rate: number, required: number): string {
  for (let digits = 2; ; digits++) {
    const percent = Number((rate * 100).toFixed(digits))
    if (digits === 9 || isBelow(percent / 100, required) === isBelow(rate, required)) return `${percent} %`
  }
}
