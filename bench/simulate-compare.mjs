// `node bench/simulate-compare.mjs`, or `npm run bench -- compare`: how often `assay compare` says "worse", of runs of which
// we know what is true. It prints rates, not times; the same on every machine.
import { tsImport } from 'tsx/esm/api'

const { verdictsIn, withNoise } = await tsImport('./simulated-runs.ts', import.meta.url)
const { NO_REGRESSION, REGRESSION } = await tsImport('./worlds.ts', import.meta.url)

const PAIRS = 2000
const SEED = 20_261_115

const percent = share => `${(share * 100).toFixed(1)} %`
const lines = [
  ...NO_REGRESSION.map(world => ({ world, isFine: worse => worse <= withNoise(0.05, PAIRS), wanted: 'at most 5 %' })),
  ...REGRESSION.map(world => ({ world, isFine: worse => worse >= 0.8, wanted: 'at least 80 %' })),
].map(({ world, isFine, wanted }) => {
  const { worse, better, 'not shown': none } = verdictsIn(world, PAIRS, SEED)
  if (!isFine(worse)) process.exitCode = 1
  return [world.name, percent(worse), wanted + (isFine(worse) ? '' : ' !'), percent(better), percent(none)]
})
const rows = [[`${PAIRS} pairs of runs`, 'worse', 'wanted', 'better', 'not shown'], ...lines]
const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
for (const row of rows) {
  const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
  process.stdout.write(`${cells.join('  ')}\n`)
}
