// Builds dist/: our modules, and of the packages of others what they use (docs/decisions/dependencies.md says why), split
// so that a command loads only what it needs.
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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
  // Loaded when a value is wrong or unusual.
  { name: 'zod', test: /node_modules\/zod\// },
  { name: 'version', test: /src\/cli\/start\.ts$/ },
  { name: 'start', test: /src\/cli\/main\.ts$|src\/host\/(node|processes\/run-program)\.ts$/ },
  { name: 'load', test: /src\/cli\/commands\/validate\.ts$|src\/operations\/(validate|load-suites)\.ts$/ },
  {
    name: 'run',
    test: /src\/cli\/(commands\/eval\/(index|evaluate-paths)|run-and-report|show-plan|unused-repeats|open-run|terminal\/terminal-observer)\.ts$|src\/operations\/(evaluate|runtime|open-run|run\/(begin-provenance|require-control))\.ts$/,
  },
]
const built = [
  // The program is CommonJS, whose compiled code can be cached (src/host/code-cache.ts).
  await bundle({ input: { assay: 'src/cli/bin.ts' }, format: 'cjs' }),
  await bundle({
    input: { start: 'src/cli/start.ts', api: 'src/index.ts' },
    format: 'cjs',
    // Zod is a dependency for the sake of our types; what we use of it is built in.
    external: Object.keys({ ...dependencies, ...peerDependencies }).filter(name => name !== 'zod'),
    plugins: [reportPageForVite()],
    inject: { Headers: [join(process.cwd(), 'src/providers/shared/models/sdk-headers.ts'), 'SdkHeaders'] },
    groups: TOGETHER,
  }),
  // By itself: a judge loads nothing else of ours.
  await bundle({ input: { judge: 'src/judge.ts' } }),
  // In one file: agents start it, also in a sandbox that shows nothing else of ours.
  await bundle({ input: { 'mock-server': 'src/mock-server.ts' } }),
]
await writeFile('dist/LICENSES', await licences([...built.flat(), ...(await pageInputs())]))
// npx keeps the link that it once made to the program of a clone. Version 0.1.0 began with this name.
await writeFile('dist/assay.js', "#!/usr/bin/env node\nimport './assay.cjs'\n")
for (const program of ['dist/assay.cjs', 'dist/assay.js']) await chmod(program, 0o755)
await types
await removeUnreachable(['dist/types/index.d.ts', 'dist/types/judge.d.ts'])

/** Writes a program, and returns the files that it is made of. */
async function bundle({ groups, inject = {}, format = 'esm', ...options }) {
  const ending = format === 'cjs' ? 'cjs' : 'js'
  const { output } = await build({
    platform: 'node',
    write: false,
    // Modules that one command loads later and another at once are fine.
    checks: { ineffectiveDynamicImport: false },
    ...options,
    transform: { target: 'node20.19', inject },
    output: {
      dir: 'dist',
      format,
      strict: true,
      codeSplitting: groups ? { groups } : false,
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `chunks/[name]-[hash].${ending}`,
      // Lines stay, so that the stack trace of a bug shows a place.
      minify: { mangle: true, compress: true, codegen: { removeWhitespace: false } },
      comments: false,
      postBanner: ({ isEntry, name }) => (isEntry && name === 'assay' ? '#!/usr/bin/env node' : ''),
    },
  })
  for (const { fileName, code, isEntry, name, exports } of output) {
    await mkdir(dirname(join('dist', fileName)), { recursive: true })
    await writeFile(join('dist', fileName), inAscii(code))
    if (isEntry && name === 'api') await writeApi(exports)
  }
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** Code with other characters escaped, so that V8 reads and keeps one byte a character. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes the module that users import. It has the same instances as the program, which loads evaluators of users. */
async function writeApi(names) {
  await writeFile('dist/index.js', `export { ${names.join(', ')} } from './api.cjs'\n`)
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
