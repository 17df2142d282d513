// `node bench/simulate-compare.mjs`, or `npm run bench -- compare`: how often `assay compare` is wrong about runs with a
// known truth, and how often intervals contain it. Prints rates, not times: the same on every machine.
import { tsImport } from 'tsx/esm/api'
import { marked, percent, printTable } from './rate-table.mjs'

const { verdictsIn, coverageOf, withNoise } = await tsImport('./simulated-runs.ts', import.meta.url)
const { NO_REGRESSION, AT_THE_MARGIN, REGRESSION, KNOWN_AGENTS } = await tsImport('./worlds.ts', import.meta.url)

const PAIRS = 2000
const SEED = 20_261_115
const FALSE_ALARMS = withNoise(0.05, PAIRS)
const LEAST_COVERAGE = 1 - withNoise(0.1, PAIRS)

const verdicts = [
  ...[...NO_REGRESSION, AT_THE_MARGIN].map(world =>
    verdictRow(world, 'at most 5 %', ({ failed, better }) => Math.max(failed, better) <= FALSE_ALARMS),
  ),
  ...REGRESSION.map(world => verdictRow(world, 'fails in 80 %', ({ failed }) => failed >= 0.8)),
]
printTable([
  [`${PAIRS} pairs of runs`, 'gate fails', 'better', 'wanted', 'worse', 'equivalent', 'inconclusive'],
  ...verdicts,
])
process.stdout.write('\n')
printTable([[`${PAIRS} runs`, 'pass rate', 'score', 'wanted'], ...KNOWN_AGENTS.map(coverageRow)])

function verdictRow(world, wanted, isFine) {
  const found = verdictsIn(world, PAIRS, SEED)
  const { failed, better, worse, equivalent, inconclusive } = found
  return [
    world.name,
    percent(failed),
    percent(better),
    marked(wanted, isFine(found)),
    percent(worse),
    percent(equivalent),
    percent(inconclusive),
  ]
}

function coverageRow(agent) {
  const { pass_rate, score } = coverageOf(agent, PAIRS, SEED)
  const isFine = Math.min(pass_rate, score) >= LEAST_COVERAGE
  return [agent.name, percent(pass_rate), percent(score), marked('at least 90 %', isFine)]
}
