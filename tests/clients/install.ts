import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../.clients')

/** The path of an installed client. */
export function client(name: 'claude' | 'codex'): string {
  return join(FOLDER, 'node_modules/.bin', name)
}

/** Installs the real clients into a separate folder, once. */
export function setup(): void {
  if (existsSync(client('claude')) && existsSync(client('codex'))) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{"private": true}\n')
  const packages = ['@anthropic-ai/claude-code', '@openai/codex']
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: FOLDER, stdio: 'inherit' })
}
