/** A number as people write it: without an exponent, and without what arithmetic adds in the last digits. */
export function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(12)))
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === undefined) return text
  const digits = `${whole}${fraction}`
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
