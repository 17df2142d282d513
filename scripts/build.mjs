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
/**
 * Modules whose functions few commands call, and which no other module uses while it is loaded. They are in files that are
 * loaded with the first call of one of these functions.
 */
const LATER = {
  zod: [/node_modules\/zod\//],
  yaml: [/node_modules\/js-yaml\//, /src\/parse\/yaml\/(read-yaml|yaml-events|yaml-spans|yaml-tree)\.ts$/],
  load: [
    /src\/(mocks|lib\/globs|lib\/regex)\/|src\/model\/mcp-server\.ts$/,
    /src\/lib\/(csv|xml|assignment|zod-problem)\.ts$/,
    /src\/lib\/json\/(differences|exact-json|find-objects|path|tokens)\.ts$/,
    /src\/lib\/text\/(diff|line-edits|suggestion|unified-diff)\.ts$/,
    /src\/parse\/(shape\/(schema-keys|shape-diagnostics)|variables\/(scope|table))\.ts$/,
    /src\/evaluators\/shared\/(json-schemas\/(?!formats)|program-judges\/)/,
    /src\/evaluators\/shared\/model-judges\/(?!prompt-judge|judge-fields|wording)/,
    /src\/evaluators\/shared\/trajectories\/(?!call-pattern)/,
    /src\/evaluators\/shared\/workspace\/(?!path-fields|file-sentence|changes-sentence)/,
  ],
  run: [
    /src\/(record\/plugin-evals|run\/changes|run\/deciding)\//,
    /src\/operations\/calibrate\/(judged-answers|match-labels)\.ts$/,
    /src\/lib\/statistics\/(calibrated|cluster-share|decision|discordant|pair|permutation|rate-b|ratio|sequential|significance|transported|variance)/,
    /src\/providers\/shared\/(?!agents\/agent(-skills)?\.ts|file-tools|sandbox\/sandbox-issues)/,
    /src\/report\/compare\/(?!against|arm|compare-gate|comparison-gates|decided-|formats|text\/(comparison-notes|sections-text))/,
  ],
}
const LOAD_LATER =
  'const __later = load => { let module; return new Proxy({}, { get: (_, name) => (module ??= load())[name] }) };'
/** What is loaded together is in one file, with what it imports: each further file takes half a millisecond. */
const TOGETHER = [
  ...Object.entries(LATER).map(([name, modules]) => ({
    name: `later-${name}`,
    test: path => includesPath(modules, path),
    includeDependenciesRecursively: false,
  })),
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
    preserveEntrySignatures: 'allow-extension',
    format: 'cjs',
    // Zod is a dependency for the sake of our types; what we use of it is built in.
    external: Object.keys({ ...dependencies, ...peerDependencies }).filter(name => name !== 'zod'),
    plugins: [reportPageForVite(), withoutImportedLater()],
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
    await writeFile(join('dist', fileName), inAscii(loadingLater(code)))
    if (isEntry && name === 'api') await writeApi(exports)
  }
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** Code that loads the files of `LATER` with the first use of one of their exports. */
function loadingLater(code) {
  const later = code.replace(/ = (require\("[./a-z]+\/later-[^"]+"\))/g, ' = __later(() => $1)')
  return later === code ? code : later.replace('"use strict";', `"use strict";\n${LOAD_LATER}`)
}

/** Code with other characters escaped, so that V8 reads and keeps one byte a character. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function includesPath(patterns, path) {
  return patterns.some(pattern => pattern.test(path))
}

/** A module that is imported when it is needed is in a file of its own already, and cannot be in another one. */
function withoutImportedLater() {
  return {
    name: 'without-imported-later',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        if (includesPath(Object.values(LATER).flat(), id) && this.getModuleInfo(id)?.dynamicImporters.length > 0)
          this.error(`${id} is imported by a call: remove it from LATER`)
      }
    },
  }
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
