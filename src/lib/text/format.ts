/** `340 ms`, `2.1 s`, `3 min 20 s`; never `0 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 0.5) return '<1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `$12.50`, `$0.0123`, `$0.000012`. */
export function formatDollars(usd: number): string {
  if (usd === 0) return '$0'
  const short = Number(usd.toPrecision(2))
  return `$${short < 0.0001 ? short.toFixed(digitsOf(short)) : usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`
}

/** The number of decimals that show two significant digits. */
function digitsOf(small: number): number {
  return Math.min(20, 1 - Math.floor(Math.log10(small)))
}

/** `90 %`. */
export function formatPercent(share: number): string {
  return `${formatShare(share)} %`
}

/** Rounds to whole percent, but never to 0 or 100 unless it is exact: `<1`, `90`, `>99`. */
export function formatShare(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return '<1'
  return rounded === 100 && share < 1 ? '>99' : String(rounded)
}

/** Formats without an exponent and without rounding errors in the last digits. */
export function formatPlainNumber(value: number): string {
  const text = String(Number(value.toPrecision(12)))
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === undefined) return text
  const digits = `${whole}${fraction}`
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}

/** `12,345`. Does not load the tables of `Intl`, which takes longer than a small run. */
export function formatInteger(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Formats with at most four decimals. */
export function formatNumber(value: number): string {
  return String(Number(value.toFixed(4)))
}

/** `512 B`, `3.4 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** `1 test`, `2 tests`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
