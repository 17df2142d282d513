// Builds dist/: our own modules, split so that a command loads only what it needs, and of zod what they use (docs/decisions/
// dependencies.md says why); other dependencies stay outside.
import { execFile } from 'node:child_process'
import { chmod, copyFile, readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { reportPageForEsbuild } from './report-page.mjs'

const { dependencies, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
await rm('dist', { recursive: true, force: true })
// The types take most of the time, and need nothing of the rest.
const tsc = [process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json']]
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
await copyFile('node_modules/zod/LICENSE', 'dist/LICENSE-zod')
await chmod('dist/assay.js', 0o755)
await types
