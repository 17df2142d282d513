// Builds dist/: our own modules, split so that a command loads only what it needs, and of zod what they use (docs/decisions/
// dependencies.md says why); other dependencies stay outside.
import { execFile } from 'node:child_process'
import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { pageInputs, reportPageForEsbuild } from './report-page.mjs'

const { dependencies, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
await rm('dist', { recursive: true, force: true })
// The types take most of the time, and need nothing of the rest. `npm run types` checks them.
const tsc = [process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json', '--noCheck']]
const types = promisify(execFile)(...tsc).catch(({ stdout, stderr }) => {
  process.stdout.write(stdout + stderr)
  process.exitCode = 1
})
const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
  // The package is small; lines are short, so that the stack trace of a bug shows a place.
  minify: true,
  lineLimit: 400,
}
await build({
  ...common,
  entryPoints: { assay: 'src/cli/bin.ts', index: 'src/index.ts' },
  splitting: true,
  external: Object.keys({ ...dependencies, ...peerDependencies }).filter(name => name !== 'zod'),
  plugins: [reportPageForEsbuild],
  chunkNames: 'chunks/[name]-[hash]',
})
// By itself: a judge loads nothing else of ours.
await build({ ...common, entryPoints: { judge: 'src/judge.ts' }, packages: 'external' })
// In one file, with the SDK of MCP: agents start it, also in a sandbox that shows nothing else of ours.
const { metafile } = await build({
  ...common,
  entryPoints: { 'mock-server': 'src/mock-server.ts' },
  legalComments: 'none',
  metafile: true,
})
await writeFile('dist/LICENSE-mock-server', await licencesOf(Object.keys(metafile.inputs)))
await writeFile('dist/LICENSE-view', await licencesOf(await pageInputs()))
await copyFile('node_modules/zod/LICENSE', 'dist/LICENSE-zod')
await chmod('dist/assay.js', 0o755)
await types
await removeUnreachable(['dist/types/index.d.ts', 'dist/types/judge.d.ts'])

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

/** The licences of the packages in a bundle. */
async function licencesOf(inputs) {
  const packages = inputs.flatMap(file => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
  const texts = [...new Set(packages)].sort().map(async name => {
    return `${name}\n\n${await readFile(`node_modules/${name}/LICENSE`, 'utf8')}`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
