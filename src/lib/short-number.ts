/** A number with at most four digits behind the point. */
export function shortNumber(value: number): string {
  return String(Number(value.toFixed(4)))
}
