/** Runs of one suite on two targets over some weeks, for a picture. */
export function demoRuns() {
  const runs = LARGE.map((rate, index) => run(index, rate, SMALL[index])).reverse()
  const [newest, second, third, fourth, ...others] = runs
  return {
    runs: [
      { ...newest, is_live: true, partial: '31 of 80 attempts so far' },
      { ...second, baseline: { verdict: 'better', text: 'support: +0.075 [+0.012 to +0.141]' } },
      { ...third, facts: { ...third.facts, label: 'nightly' } },
      { ...fourth, baseline: { verdict: 'worse', text: 'support: −0.100 [−0.181 to −0.019]' } },
      ...others,
    ],
    more: 0,
  }
}

const LARGE = [60, 62, 62, 70, 72, 70, 75, 75, 78, 80, 72, 78, 82, 85, 85, 88, 78, 88, 90, 88].map(
  percent => percent / 100,
)
const SMALL = [50, 48, 52, 55, 52, 58, 60, 55, 58, 62, 60, 60, 65, 62, 65, 68, 60, 65, 68, 70].map(
  percent => percent / 100,
)
const TESTS = 40

function run(index, large, small) {
  const day = String(index + 1).padStart(2, '0')
  const id = `202611${day}-021500-${(0xa1b2 + index * 977).toString(16)}`
  const commit = ((0x1a2b3c4d + index * 0x9e3779b1) % 0xffffffff).toString(16).padStart(8, '0').repeat(5)
  return {
    id,
    started: `2026-11-${day}T02:15:00.000Z`,
    facts: {
      run_id: id,
      commit,
      branch: index % 5 === 3 ? 'shorter-prompt' : 'main',
      is_dirty: false,
      suites: ['support'],
    },
    targets: [target('large', large, 0.41), target('small', small, 0.03)],
    tests: TESTS,
    elapsed_ms: 172_000 + index * 1_700,
    is_live: false,
  }
}

/** The interval is that of Wilson. */
function target(name, rate, cost_usd) {
  const z = 1.96
  const middle = (rate + z ** 2 / (2 * TESTS)) / (1 + z ** 2 / TESTS)
  const half = (z * Math.sqrt((rate * (1 - rate)) / TESTS + z ** 2 / (4 * TESTS ** 2))) / (1 + z ** 2 / TESTS)
  const interval = { low: middle - half, high: middle + half }
  return { name, tests: TESTS, pass_rate: { rate, interval }, cost_usd }
}
