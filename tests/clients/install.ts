import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../.clients')

/** The path of an installed client. */
export function client(name: 'claude' | 'codex'): string {
  return join(FOLDER, 'node_modules/.bin', name)
}

/** The versions that the tests were written for. The first has `claude plugin eval`. */
const PACKAGES = { '@anthropic-ai/claude-code': '2.1.325', '@openai/codex': '0.166.0' }

/** Installs the real clients into a separate folder, once for each list of versions. */
export function setup(): void {
  if (Object.entries(PACKAGES).every(([name, version]) => installedVersion(name) === version)) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{"private": true}\n')
  const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: FOLDER, stdio: 'inherit' })
}

function installedVersion(name: string): string | undefined {
  const file = join(FOLDER, 'node_modules', name, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}
