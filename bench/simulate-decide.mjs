// `node bench/simulate-decide.mjs`, or `npm run bench -- decide`: how often sequential decisions are wrong where the truth is
// known, how often they find a difference, and after how many tests or pairs. The same on every machine.
import { tsImport } from 'tsx/esm/api'
import { marked, percent, printTable } from './rate-table.mjs'

const { forecastRate } = await tsImport('../src/lib/statistics/decision-forecast.ts', import.meta.url)
const { fixedDecisions, pairDecisions, rateDecisions } = await tsImport('./simulated-decisions.ts', import.meta.url)
const { isAsListed, isNear, PAIR_WORLDS, RATE_WORLDS } = await tsImport('./decision-worlds.ts', import.meta.url)

const RUNS = 2000
const SEED = 20_261_116

printTable([
  ['threshold, most, rate', 'above / below', 'tests', 'saved', 'simulated', 'tests', 'all tests', 'wanted'],
  ...RATE_WORLDS.map(rateRow),
])
process.stdout.write('\n')
printTable([
  [`worse / better in ${RUNS} runs`, 'all pairs', 'in rounds', 'pairs', 'chosen', 'pairs', 'covered', 'bias', 'wanted'],
  ...PAIR_WORLDS.map(pairRow),
])

function rateRow(world) {
  const exact = forecastRate(world)
  const found = rateDecisions(world, RUNS, SEED)
  const isExact =
    [exact.above, exact.below].every((share, side) => (share * 100).toFixed(1) === world.percent[side].toFixed(1)) &&
    exact.mean_tests.toFixed(1) === world.tests.toFixed(1)
  const isFine = isExact && isNear(found.above, exact.above, RUNS) && isNear(found.below, exact.below, RUNS)
  return [
    `${world.threshold}, ${world.most}, ${world.rate}`,
    shares(exact.above, exact.below),
    exact.mean_tests.toFixed(1),
    percent(1 - exact.mean_tests / world.most),
    shares(found.above, found.below),
    found.mean_tests.toFixed(1),
    shares(...Object.values(fixedDecisions(world))),
    marked(world.threshold === world.rate ? 'at most 2.5 % a side' : 'as forecast', isFine && isSafe(world, exact)),
  ]
}

function isSafe({ threshold, rate }, { above, below }) {
  return threshold !== rate || Math.max(above, below) <= 0.025
}

function pairRow(world) {
  const of = plan => pairDecisions(plan, world.rates, world.most, RUNS, SEED)
  const [fixed, rounds, chosen] = [of('fixed'), of('rounds'), of('chosen')]
  return [
    world.name,
    shares(fixed.worse, fixed.better),
    shares(rounds.worse, rounds.better),
    rounds.mean_pairs.toFixed(0),
    shares(chosen.worse, chosen.better),
    chosen.mean_pairs.toFixed(0),
    percent(chosen.coverage),
    chosen.bias.toFixed(3),
    wantedOf(world, chosen),
  ]
}

function wantedOf(world, found) {
  const { isSame, power, pairs } = world
  const wanted = isSame ? 'at most 5 % in all' : `${percent(power)} after ${pairs.toFixed(0)}`
  return marked(wanted, isAsListed(world, found, RUNS))
}

function shares(...pair) {
  return pair.map(share => (share * 100).toFixed(1)).join(' / ')
}
