// `node bench/simulate-judges.mjs`, or `npm run bench -- judges`: how often intervals of pass rates contain the truth if a
// judge with known errors gives the verdicts, and people label some of the answers. The same on every machine.
import { tsImport } from 'tsx/esm/api'
import { marked, percent, printTable } from './rate-table.mjs'

const { judgeCoverage } = await tsImport('./simulated-judges.ts', import.meta.url)
const { OTHER_LABELS, OWN_LABELS } = await tsImport('./judge-worlds.ts', import.meta.url)

const WORLDS = 500
const SEED = 20_261_117
const LEAST = 0.93

for (const [title, worlds] of [
  ['labels of the run', OWN_LABELS],
  ['labels of another run', OTHER_LABELS],
]) {
  printTable([
    [`${WORLDS} worlds, ${title}`, 'raw', 'labels alone', 'unweighted', 'corrected', 'refused', 'wanted'],
    ...worlds.map(coverageRow),
  ])
  process.stdout.write('\n')
}

function coverageRow(world) {
  const { raw, labels, unweighted, corrected } = judgeCoverage(world, WORLDS, SEED)
  return [
    world.name,
    ...[raw, labels, unweighted, corrected].map(({ covered, width }) => `${percent(covered)} (${width.toFixed(2)})`),
    percent(corrected.none),
    marked('at least 93 %', corrected.covered >= LEAST),
  ]
}
