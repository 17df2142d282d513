import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { folderWith, run } from '../../support/program.ts'

/** Runs git with a fixed identity. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'commit.gpgsign=false']
  const result = await run('git', [...identity, ...args], { cwd })
  expect(result).toMatchObject({ code: 0 })
  return result.stdout.trim()
}

/**
 * A program in place of `assay`: it appends its arguments to `calls.jsonl`, prints `says`, writes `report.md`, and ends with
 * a code. `stand-in.json` beside it has these.
 */
const STAND_IN = `#!/usr/bin/env node
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const args = process.argv.slice(2)
if (args[0] === '--version') { console.log('0.0.0-stand-in'); process.exit() }
const { code = 0, report = '### 3 of 3 tests passed\\n', says = '' } = JSON.parse(readFileSync(join(__dirname, 'stand-in.json'), 'utf8'))
const { GITHUB_OUTPUT, GITHUB_ENV, GITHUB_STEP_SUMMARY, TOKEN } = process.env
appendFileSync(join(__dirname, 'calls.jsonl'), JSON.stringify({ args, env: { GITHUB_OUTPUT, GITHUB_ENV, GITHUB_STEP_SUMMARY, TOKEN } }) + '\\n')
process.stdout.write(says)
args.forEach((arg, index) => {
  if (args[index - 1] === '-o' && report !== '') writeFileSync(arg, arg.endsWith('.md') ? report : 'x')
})
process.exitCode = code
`

export interface StandIn {
  readonly code?: number
  readonly report?: string
  readonly says?: string
}

/** The files of a program that replaces \`assay\`, in \`folder\`. */
export function installStandIn(folder: string, standIn: StandIn): void {
  folderWith({ assay: STAND_IN, 'stand-in.json': JSON.stringify(standIn) }, folder)
  chmodSync(join(folder, 'assay'), 0o755)
}

export const BASELINE = '.assay/baselines/main.json'

/** A shallow checkout of the branch of a pull request, as actions/checkout makes it: `origin/main` is not there. */
export async function checkout({ baseline = true, files = {} as Record<string, string> } = {}): Promise<string> {
  const origin = folderWith({ 'EVAL.yaml': 'name: a\n', ...(baseline && { [BASELINE]: '{}\n' }), ...files })
  await git(origin, 'init', '-q', '-b', 'main')
  await git(origin, 'add', '.')
  await git(origin, 'commit', '-q', '-m', 'Begin')
  await git(origin, 'checkout', '-q', '-b', 'feature')
  await git(origin, 'commit', '-q', '--allow-empty', '-m', 'Change')
  const folder = folderWith()
  await git(folder, 'clone', '-q', '--depth=1', '--branch=feature', `file://${origin}`, '.')
  return folder
}
