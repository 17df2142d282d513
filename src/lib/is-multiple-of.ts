/** Whether a number is a whole multiple of another, both taken as the decimals that they are written as. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [a, b] = [decimal(value), decimal(divisor)]
  if (b.digits === 0n) return false
  const exponent = Math.min(a.exponent, b.exponent)
  return scaled(a, exponent) % scaled(b, exponent) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** The shortest decimal that stands for the number. */
function decimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
