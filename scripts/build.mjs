// Builds dist/: our own modules, split so that a command loads only what it needs, and of zod what they use (docs/decisions/
// dependencies.md says why); other dependencies stay outside.
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'
import { reportPageForEsbuild } from './report-page.mjs'

const { dependencies, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
await rm('dist', { recursive: true, force: true })
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
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
