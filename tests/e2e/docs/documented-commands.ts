import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

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

/** Tests that pages show the real output of their commands. */
export function testPages(pages: readonly string[]): void {
  describe.each(pages)('%s', testPage)
}

function testPage(page: string): void {
  const user = userFolder()

  it('shows the real output of its commands', { timeout: 240_000 }, async () => {
    for (const { language, text, before } of blocksOf(page)) {
      if (language === 'console') {
        const folder = page === 'README.md' ? { ...user, cwd: folderWith() } : user
        await checkSession(text, folder)
      }
      if (language !== 'sh' || BY_CI.some(pattern => pattern.test(before)) || FOR_CONTRIBUTORS.includes(page)) continue
      const { code, stdout, stderr } = await run('sh', ['-ec', text], user)
      expect({ page, text, code, output: code === 0 ? '' : stdout + stderr }).toEqual({
        page,
        text,
        code: 0,
        output: '',
      })
    }
  })

  it('uses only known languages in code blocks', () => {
    const known = ['sh', 'console', 'yaml', 'groovy', 'json', 'js', 'ts', 'python', 'text', 'jsonl']
    expect(
      blocksOf(page)
        .map(({ language }) => language)
        .filter(language => !known.includes(language)),
    ).toEqual([])
  })

  let session: { cwd: string; env: NodeJS.ProcessEnv } | undefined

  async function checkSession(text: string, fresh: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
    session ??= fresh
    for (const { command, output } of sessionOf(text)) {
      const { stdout, stderr } = await run('sh', ['-c', command], session)
      expect({ command, output: normalizeOutput(stdout + stderr) }).toEqual({
        command,
        output: normalizeOutput(output),
      })
    }
  }
}
