import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { reportPageForEsbuild } from '../../../scripts/report-page.mjs'
import { ROOT } from '../root.ts'

/** Bundles a list of fuzzers, `fuzzers`, for Node. The bundle must be inside the project to resolve packages. */
export async function buildChild(list: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, 'child.mjs')
  await build({
    stdin: {
      contents: `
import { fuzzers } from ${JSON.stringify(list)}
import { runChild as run } from ${JSON.stringify(join(ROOT, 'tests/fuzz/harness/child.ts'))}
export { fuzzers }
export const runChild = order => run(fuzzers, order)
`,
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    plugins: [reportPageForEsbuild],
    logLevel: 'error',
  })
  return outfile
}
