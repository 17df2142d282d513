// Builds dist/: our own modules, split so that a command loads only what it needs; dependencies stay outside.
import { execFileSync } from 'node:child_process'
import { chmod, rm } from 'node:fs/promises'
import { build } from 'esbuild'
import { reportPageForEsbuild } from './report-page.mjs'

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: { assay: 'src/cli/main.ts', index: 'src/index.ts', judge: 'src/judge.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  plugins: [reportPageForEsbuild],
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
})
await chmod('dist/assay.js', 0o755)
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
