// `npm run bench -- install`: installs the packed program in an empty folder, and measures what that leaves there.
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIMITS = { MB: 25, packages: 12, 'install scripts': 0 }

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-install-'))
try {
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  writeFileSync(join(folder, 'package.json'), '{}')
  const root = join(import.meta.dirname, '..')
  const [{ filename }] = JSON.parse(npm('pack', root, '--json', '--ignore-scripts'))
  npm('install', '--no-audit', '--no-fund', join(folder, filename))
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  const found = {
    // As `du` counts it: in blocks.
    MB: Math.round(sizeOf(join(folder, 'node_modules')) / 1e5) / 10,
    packages: installed.length,
    'install scripts': installed.filter(([, { hasInstallScript }]) => hasInstallScript).length,
  }
  for (const [what, limit] of Object.entries(LIMITS)) {
    process.stdout.write(`install: ${found[what]} ${what}${found[what] > limit ? ' !' : ''}, at most ${limit}\n`)
    if (found[what] > limit) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}

function sizeOf(path) {
  const { blocks } = lstatSync(path)
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : []
  return inside.reduce((sum, name) => sum + sizeOf(join(path, name)), blocks * 512)
}
