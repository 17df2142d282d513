// `node bench/scale.mjs [NAME…]` after `node scripts/build.mjs`: how time and memory grow with the size of the input.
// Each step runs in a separate process at three sizes; the start-up cost, a run at the smallest size, is subtracted before
// sizes are compared. Prints Markdown tables, and exits with 1 if growth is clearly worse than n log n.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grownTooMuch, growth } from './scale/growth.mjs'
import { runStep } from './scale/run-step.mjs'
import { renderWorkload } from './scale/scale-table.mjs'
import { answers } from './scale/workloads/answers.mjs'
import { calls } from './scale/workloads/calls.mjs'
import { diagnostics } from './scale/workloads/diagnostics.mjs'
import { lines } from './scale/workloads/lines.mjs'
import { logs } from './scale/workloads/logs.mjs'
import { pages } from './scale/workloads/pages.mjs'
import { shapes } from './scale/workloads/shapes.mjs'
import { suites } from './scale/workloads/suites.mjs'
import { tests } from './scale/workloads/tests.mjs'

const wanted = process.argv.slice(2)
const all = [tests, suites, lines, answers, calls, pages, logs, diagnostics, shapes].flat()
const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.some(word => name.includes(word)))
const problems = []
for (const workload of chosen) {
  const rows = await measured(workload)
  process.stdout.write(renderWorkload(workload, rows))
  for (const { name } of rows.filter(row => grownTooMuch(row, workload)))
    problems.push(`${workload.name}, ${name}: grows faster than n log n`)
}
if (problems.length > 0) {
  process.stderr.write(problems.map(problem => `${problem}\n`).join(''))
  process.exitCode = 1
}

/** Measures the steps of a workload at the smallest size and at the three sizes. */
async function measured(workload) {
  const used = new Map()
  for (const size of [workload.least, ...workload.sizes]) {
    const home = mkdtempSync(join(tmpdir(), 'assay-scale-'))
    const server = await workload.begin?.(size)
    try {
      mkdirSync(home, { recursive: true })
      for (const step of workload.steps(home, size, server?.url)) {
        process.stderr.write(`${workload.name}, ${size}: ${step.name} …\n`)
        const usage = await runStep(step, home).catch(({ message }) => {
          problems.push(`${workload.name}, ${size}: ${message}`)
        })
        if (!step.isSetUp) used.set(step.name, [...(used.get(step.name) ?? []), usage])
      }
    } finally {
      server?.stop()
      rmSync(home, { recursive: true })
    }
  }
  return [...used].map(([name, [least, ...usages]]) => ({
    name,
    usages,
    growth: growth(workload.sizes, least, usages),
  }))
}
