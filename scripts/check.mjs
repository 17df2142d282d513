// `npm run check`: lint, types, layers, dead code and the build, as many at once as there are cores, then the tests. Each
// check uses one core, so in sequence they would leave the others idle.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

/** The longest first. */
const CHECKS = {
  types: 'tsc --noEmit',
  build: 'node scripts/build.mjs',
  dead: 'knip',
  'dead code of the package': 'knip --production',
  'types of the page': 'tsc --project src/view',
  layers: 'depcruise --config .dependency-cruiser.cjs src',
  lint: 'biome check --error-on-warnings .',
}
const TESTS = "vitest run --exclude 'tests/**/*.sweep.test.ts'"

const bin = join(import.meta.dirname, '../node_modules/.bin')
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }

const failed = []
const waiting = Object.entries(CHECKS)
await Promise.all(Array.from({ length: availableParallelism() }, work))
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : await test()

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command] = next
    const started = performance.now()
    const { code, output } = await run(command)
    const seconds = Math.round((performance.now() - started) / 1000)
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'} ${name} (${seconds} s)\n${code === 0 ? '' : output}`)
    if (code !== 0) failed.push(name)
  }
}

/** Runs a check, and keeps what it prints: only that of a failed one is of interest. */
function run(command) {
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}

function test() {
  const child = spawn(TESTS, { shell: true, env, stdio: 'inherit' })
  return new Promise(resolve => child.on('close', code => resolve(code ?? 1)))
}
