/** Results as a table for people. */
export function renderTable(results) {
  const header = ['workload', 'ours', 'baseline', 'ratio', 'at most', 'peak memory']
  const rows = results.map(({ name, oursMs, baselineMs, limit, memory, memoryLimit = Infinity }) => {
    const ratio = oursMs / baselineMs
    const mark = ratio > limit ? ' !' : ''
    return [
      name,
      ms(oursMs),
      ms(baselineMs),
      `${ratio.toFixed(2)}${mark}`,
      limit.toFixed(1),
      `${Math.round(memory / 1e6)} MB${memory > memoryLimit ? ' !' : ''}`,
    ]
  })
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map(row => row[column].length)))
  const line = row =>
    `${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')}\n`
  const calls = results.filter(({ cpuPerCall }) => cpuPerCall)
  return [...[header, ...rows].map(line), ...calls.map(cpuLine)].join('')
}

function cpuLine({ name, cpuPerCall: { ours, baseline } }) {
  return `CPU per call of "${name}": ${ours.toFixed(2)} ms, baseline ${baseline.toFixed(2)} ms\n`
}

function ms(time) {
  return `${time.toFixed(0)} ms`
}
