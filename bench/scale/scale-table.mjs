/** Renders a workload as a Markdown table for docs/performance-figures.md. */
export function renderWorkload({ name, unit, sizes }, rows) {
  const header = ['step', ...sizes.map(size => `${size.toLocaleString('en-US')} ${unit}`), 'growth']
  const line = cells => `| ${cells.join(' | ')} |\n`
  const table = [
    line(header),
    `|---|${'--:|'.repeat(header.length - 1)}\n`,
    ...rows.map(row => line([row.name, ...row.usages.map(usageText), growthText(row.growth)])),
  ]
  return `### ${name}\n\n${table.join('')}\n`
}

/** `0.52 s, 0.61 s, 120 MB`: wall time, CPU time, peak memory. */
function usageText(usage) {
  if (!usage) return 'failed'
  const { wallMs, cpuMs, memory } = usage
  return `${seconds(wallMs)}, ${seconds(cpuMs)}, ${Math.round(memory / 1e6)} MB`
}

function growthText({ cpu, memory }) {
  return `${exponentText(cpu)}, ${exponentText(memory)}`
}

function exponentText(exponent) {
  return exponent === undefined ? '–' : exponent.toFixed(2)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
}
