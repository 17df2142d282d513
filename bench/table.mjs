/** Whether a value of a result is above its limit. */
export function isBeyond({
  oursMs,
  baselineMs,
  limit,
  memory,
  memoryLimit = Infinity,
  cpuPerCall,
  cpuLimit = Infinity,
}) {
  return (
    oursMs / baselineMs > limit ||
    memory > memoryLimit ||
    (cpuPerCall !== undefined && cpuPerCall.ours > cpuLimit * cpuPerCall.baseline)
  )
}

/** Renders results as a table. A `!` marks values above their limit. */
export function renderTable(results) {
  const hasPeer = results.some(({ peerMs }) => peerMs !== undefined)
  const header = ['workload', 'ours', 'plain Node', 'ratio', 'at most', 'peak memory']
  const rows = results.map(result => [...cells(result), ...(hasPeer ? peerCells(result) : [])])
  const table = [hasPeer ? [...header, 'peer', 'ours / peer'] : header, ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)))
  const line = row =>
    `${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')}\n`
  const calls = results.filter(({ cpuPerCall }) => cpuPerCall)
  return [...table.map(line), ...calls.map(cpuLine)].join('')
}

function cells({ name, oursMs, baselineMs, limit, memory, memoryLimit = Infinity }) {
  const ratio = oursMs / baselineMs
  return [
    name,
    ms(oursMs),
    ms(baselineMs),
    `${ratio.toFixed(2)}${ratio > limit ? ' !' : ''}`,
    String(limit),
    `${Math.round(memory / 1e6)} MB${memory > memoryLimit ? ' !' : ''}`,
  ]
}

function peerCells({ oursMs, peerMs }) {
  return peerMs === undefined ? ['–', '–'] : [ms(peerMs), (oursMs / peerMs).toFixed(2)]
}

function cpuLine({ name, cpuPerCall: { ours, baseline }, cpuLimit }) {
  const ratio = `${(ours / baseline).toFixed(2)}${ours > cpuLimit * baseline ? ' !' : ''}, at most ${cpuLimit}`
  return `CPU per call of "${name}": ${ours.toFixed(2)} ms, plain Node ${baseline.toFixed(2)} ms: ${ratio}\n`
}

function ms(time) {
  return `${time.toFixed(0)} ms`
}
