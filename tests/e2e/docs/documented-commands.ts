import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, PROGRAM, type Result, run } from '../../support/program.ts'

export const ROOT = join(import.meta.dirname, '../../..')

export interface Block {
  readonly language: string
  readonly text: string
  /** The line before the block. */
  readonly before: string
}

/** The fenced blocks of a page. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/(?:^|\n)([^\n]*)\n```(\w+)\n([\s\S]*?)\n```/g)].map(
    ([, before = '', language = '', text = '']) => ({
      before,
      language,
      text,
    }),
  )
}

/** The folder of a user, in which `assay`, `agentv` and `npx` find the built program. */
export function userFolder(): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = folderWith()
  for (const name of ['examples', 'schema']) cpSync(join(ROOT, name), join(cwd, name), { recursive: true })
  const bin = join(cwd, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  for (const name of ['assay', 'agentv']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  for (const name of ['ajv-cli', '.bin/ajv', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', name), join(cwd, 'node_modules', name))
  symlinkSync(ROOT, join(cwd, 'node_modules/assay'))
  const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.example' }
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.example' }
  return { cwd, env: { PATH: `${bin}:${process.env['PATH']}`, ...author, ...committer } }
}

/** Replaces times and run ids, and sorts the lines of finished tests: these differ between runs. */
export function normalizeOutput(output: string): string {
  const lines = output
    .trimEnd()
    .replace(/^time .*→.*\n/gm, '')
    .replace(/<?\d+(\.\d+)? (ms|s)\b/g, '# ms')
    .replaceAll('# ms → # ms', '# ms')
    // Reports leave out times below 0.1 s, which a quick machine reaches.
    .replace(/^time +.*\n/gm, '')
    .replace(/\d{8}-\d{6}-[a-z]{4}/g, 'RUN')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .split('\n')
  const finished = lines.filter(line => /^\[ *\d+\/\d+\]/.test(line)).map(line => line.replace(/^\[ *\d+/, '[#'))
  finished.sort()
  return lines.map(line => (/^\[ *\d+\/\d+\]/.test(line) ? finished.shift() : line)).join('\n')
}

/** The commands after `$ `, each with its output. */
function sessionOf(text: string): { command: string; output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.split('\n')
      return { command, output: output.join('\n').trimEnd() }
    })
}

/** The Markdown files in a folder, with their paths from the root. */
export function pagesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true }) as string[]
  return files.filter(file => file.endsWith('.md')).map(file => `${folder}/${file}`)
}

/** Comments before commands that install everything and run all checks; `.ci/run` executes these. */
const BY_CI = [/<!-- (example|test) command -->/]
/** Pages whose commands need the repository. */
const FOR_CONTRIBUTORS = ['CONTRIBUTING.md']

/** Tests that pages show the real output of their commands, which `execute` runs: `inShell` or `inProcess`. */
export function testPages(pages: readonly string[], execute: Execute): void {
  describe.each(pages)('%s', page => testPage(page, execute))
}

interface User {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}
/** The option of a shell that runs a script: `-ec` ends it at the first command that fails. */
type ShellOption = '-c' | '-ec'
type Execute = (script: string, user: User, option: ShellOption) => Promise<Result>

/** Runs a script with the built program, as a user would. */
export function inShell(script: string, user: User, option: ShellOption): Promise<Result> {
  return run('sh', [option, script], user)
}

/** The same, but lines that only call the program run in the process of the test, which is much faster. */
export async function inProcess(script: string, user: User, option: ShellOption): Promise<Result> {
  const lines = script.split('\n')
  // A shell keeps its folder from line to line, and one command can have several lines.
  if (lines.length > 1 && /(^| )cd |\\$|<</m.test(script)) return inShell(script, user, option)
  let [stdout, stderr] = ['', '']
  for (const line of lines) {
    const call = programCall(line)
    const result = call
      ? await assay(call.args, { cwd: join(user.cwd, call.folder), env: user.env })
      : await inShell(line, user, option)
    stdout += result.stdout
    stderr += result.stderr
    if (result.code !== 0) return { code: result.code, stdout, stderr }
  }
  return { code: 0, stdout, stderr }
}

/** The folder and the arguments of a line that calls nothing but the program, without pipes and the like. */
function programCall(line: string): { readonly folder: string; readonly args: string[] } | undefined {
  const [, folder = '.', words] = /^(?:cd (\S+) && )?(?:npx )?(?:assay|agentv) (.+)$/.exec(line) ?? []
  if (words === undefined) return undefined
  const args = [...words.matchAll(/ *("[^"\\$`]*"|'[^']*'|[\w./:=,-]+)(?= |$)/gy)].map(([all, word = '']) => ({
    all,
    word,
  }))
  if (args.map(({ all }) => all).join('') !== words) return undefined
  return { folder, args: args.map(({ word }) => word.replace(/^(["'])(.*)\1$/, '$2')) }
}

function testPage(page: string, execute: Execute): void {
  it('shows the real output of its commands', async () => {
    const blocks = blocksOf(page).filter(({ language }) => language === 'console' || language === 'sh')
    if (blocks.length === 0) return
    const user = userFolder()
    const session = page === 'README.md' ? { ...user, cwd: folderWith() } : user
    for (const { language, text, before } of blocks) {
      if (language === 'console') {
        await checkSession(text, session)
        continue
      }
      if (BY_CI.some(pattern => pattern.test(before)) || FOR_CONTRIBUTORS.includes(page)) continue
      const { code, stdout, stderr } = await execute(text, user, '-ec')
      expect({ page, text, code, output: code === 0 ? '' : stdout + stderr }).toEqual({
        page,
        text,
        code: 0,
        output: '',
      })
    }
  })

  it('uses only known languages in code blocks', () => {
    const known = ['sh', 'console', 'yaml', 'groovy', 'json', 'js', 'ts', 'python', 'text', 'jsonl', 'csv']
    expect(
      blocksOf(page)
        .map(({ language }) => language)
        .filter(language => !known.includes(language)),
    ).toEqual([])
  })

  async function checkSession(text: string, session: User): Promise<void> {
    for (const { command, output } of sessionOf(text)) {
      const { stdout, stderr } = await execute(command, session, '-c')
      expect({ command, output: normalizeOutput(stdout + stderr) }).toEqual({
        command,
        output: normalizeOutput(output),
      })
    }
  }
}
