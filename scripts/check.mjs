// `npm run check`: the build and then the tests, and beside them lint, types, layers and dead code. Tests wait for the programs
// that they start, so the checks fill time in which cores would be idle.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

const BUILD = 'node scripts/build.mjs'
const TESTS = "vitest run --exclude 'tests/**/*.sweep.test.ts'"
/** Those that fail most often first. */
const CHECKS = {
  lint: 'biome check --error-on-warnings .',
  types: 'tsc --noEmit',
  'types of the page': 'tsc --project src/view',
  layers: 'depcruise --config .dependency-cruiser.cjs src',
  dead: 'knip',
  'dead code of the package': 'knip --production',
}

const bin = join(import.meta.dirname, '../node_modules/.bin')
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }

const failures = []
const waiting = Object.entries(CHECKS)
const lanes = Math.max(1, availableParallelism() - 1)
await Promise.all([buildAndTest(), ...Array.from({ length: lanes }, runChecks)])
// At the end, where the output of the tests does not hide it.
for (const { name, output } of failures) if (output) console.log(`\n${name}:\n${output}`)
if (failures.length > 0) console.log(`failed: ${failures.map(({ name }) => name).join(', ')}`)
process.exitCode = failures.length > 0 ? 1 : 0

async function buildAndTest() {
  if (!(await passes('build', BUILD))) return
  const child = spawn(TESTS, { shell: true, env, stdio: 'inherit' })
  const code = await new Promise(resolve => child.on('close', resolve))
  if (code !== 0) failures.push({ name: 'tests' })
}

async function runChecks() {
  for (let next = waiting.shift(); next; next = waiting.shift()) await passes(...next)
}

/** Runs a check, and keeps what it prints: only that of a failed one is of interest. */
async function passes(name, command) {
  const started = performance.now()
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const code = await new Promise(resolve => child.on('close', resolve))
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${code === 0 ? 'ok' : 'FAILED'} ${name} (${seconds} s)`)
  if (code !== 0) failures.push({ name, output })
  return code === 0
}
