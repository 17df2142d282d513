// `npm run bench`: compares each workload with a plain Node program that does the same, and with another tool if one is
// named. Machines are noisy, so only the ratios are meaningful: the runs of all sides alternate and the median counts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measure.mjs'
import { peerFrom } from './peer.mjs'
import { judgeRows } from './rows/judges.mjs'
import { loadRows } from './rows/load.mjs'
import { benchQueue } from './rows/queue.mjs'
import { reportRows } from './rows/report.mjs'
import { runRows } from './rows/run.mjs'
import { startUpRows } from './rows/start-up.mjs'
import { transpileRows } from './rows/transpile.mjs'
import { isBeyond, renderTable } from './table.mjs'

/** Measurements with tables of their own. The last three are rates, not times: what is said where the truth is known. */
const OTHERS = {
  install: './install-size.mjs',
  workspace: './workspace-cost.mjs',
  view: './view-page.mjs',
  live: './live-cost.mjs',
  compare: './simulate-compare.mjs',
  decide: './simulate-decide.mjs',
  judges: './simulate-judges.mjs',
}

const HELP = `npm run bench -- [WORD…] [--peer COMMAND]

Only workloads with one of the words in their names are run. A value beyond its limit has a ! and makes the exit code 1.
"install" measures what users install; "queue" has workers make the attempts; "workspace" measures the
changes of a workspace against its copy; "view" opens and scrolls the page of 10,000 tests in Chromium; "live" is a run
that assay view follows against one alone; "compare", "decide" and "judges" are simulations of comparisons, of
sequential decisions and of corrected pass rates.

--peer COMMAND  adds columns for another tool. In its command {suite} is the file with the tests, {command} is "eval" or
                "validate", {workers} the number of workers. Where {command} is not in it, it only takes part where tests are run.

  npm run bench -- run --peer 'npx other-tool {command} {suite} --workers {workers}'
`

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) process.stdout.write(HELP)
else await bench()

async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    await benchRows(folder)
    for (const [word, module] of Object.entries(OTHERS)) if (isWanted(word)) await import(module)
    if (isWanted('queue') && !(await benchQueue(folder))) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function benchRows(folder) {
  const rows = [startUpRows, loadRows, runRows, judgeRows, reportRows, transpileRows].flatMap(make => make(folder))
  const wanted = rows.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))
  const results = []
  for (const row of wanted) results.push(await resultOf(row))
  if (results.length > 0) process.stdout.write(renderTable(results))
  if (results.some(isBeyond)) process.exitCode = 1
}

function isWanted(word) {
  return words.length === 0 || words.includes(word)
}

async function resultOf(row) {
  process.stderr.write(`${row.name} …\n`)
  await row.begin?.()
  try {
    return { ...row, ...(await measure({ ...row, peer: peerFrom(values.peer, row) })) }
  } finally {
    row.end?.()
  }
}
