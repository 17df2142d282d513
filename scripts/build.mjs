// Builds dist/: our modules, and of the packages of others what they use (docs/decisions/dependencies.md says why), split
// so that a command loads only what it needs.
import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { licences } from './licences.mjs'
import { pageInputs, reportPageForVite } from './report-page.mjs'

const { dependencies, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
await rm('dist', { recursive: true, force: true })
// The types need nothing of the rest. `npm run types` checks them.
const tsc = [process.execPath, ['node_modules/ts7/bin/tsc', '--project', 'tsconfig.build.json', '--noCheck']]
const types = promisify(execFile)(...tsc).catch(({ stdout, stderr }) => {
  process.stdout.write(stdout + stderr)
  process.exitCode = 1
})
/** What is loaded together is in one file, with what it imports: each further file takes half a millisecond. */
const TOGETHER = [
  { name: 'version', test: /src\/cli\/start\.ts$/ },
  { name: 'start', test: /src\/cli\/main\.ts$|src\/host\/(node|processes\/run-program)\.ts$/ },
  { name: 'load', test: /src\/cli\/commands\/validate\.ts$|src\/operations\/(validate|load-suites)\.ts$/ },
  {
    name: 'run',
    test: /src\/cli\/(commands\/eval\/(index|evaluate-paths)|run-and-report|show-plan|unused-repeats|open-run|terminal\/terminal-observer)\.ts$|src\/operations\/(evaluate|runtime|open-run|run\/(begin-provenance|require-control))\.ts$/,
  },
]
const built = [
  await bundle({
    input: { assay: 'src/cli/bin.ts', index: 'src/index.ts' },
    // Zod is a dependency for the sake of our types; what we use of it is built in.
    external: Object.keys({ ...dependencies, ...peerDependencies }).filter(name => name !== 'zod'),
    plugins: [reportPageForVite()],
    groups: TOGETHER,
  }),
  // By itself: a judge loads nothing else of ours.
  await bundle({ input: { judge: 'src/judge.ts' } }),
  // In one file: agents start it, also in a sandbox that shows nothing else of ours.
  await bundle({ input: { 'mock-server': 'src/mock-server.ts' } }),
]
await writeFile('dist/LICENSES', await licences([...built.flat(), ...(await pageInputs())]))
await chmod('dist/assay.js', 0o755)
await types
await removeUnreachable(['dist/types/index.d.ts', 'dist/types/judge.d.ts'])

/** Writes a program, and returns the files that it is made of. */
async function bundle({ groups, ...options }) {
  const { output } = await build({
    platform: 'node',
    // Modules that one command loads later and another at once are fine.
    checks: { ineffectiveDynamicImport: false },
    ...options,
    transform: { target: 'node20.19' },
    output: {
      dir: 'dist',
      codeSplitting: groups ? { groups } : false,
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Lines stay, so that the stack trace of a bug shows a place.
      minify: { mangle: true, compress: true, codegen: { removeWhitespace: false } },
      comments: false,
      postBanner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
    },
  })
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** Removes the types that the public ones do not name. */
async function removeUnreachable(entries) {
  const reached = new Set()
  const open = [...entries]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    for (const [, path] of (await readFile(file, 'utf8')).matchAll(/['"](\.{1,2}\/[^'"]+)\.ts['"]/g))
      open.push(join(dirname(file), `${path}.d.ts`))
  }
  for (const name of await readdir('dist/types', { recursive: true })) {
    const file = join('dist/types', name)
    if (file.endsWith('.d.ts') && !reached.has(file)) await rm(file)
  }
}
