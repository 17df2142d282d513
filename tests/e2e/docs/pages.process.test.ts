import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, PROGRAM, run } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

interface Block {
  readonly language: string
  readonly text: string
  /** The line before the block. */
  readonly before: string
}

/** The fenced blocks of a page. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/(?:^|\n)([^\n]*)\n```(\w+)\n([\s\S]*?)\n```/g)].map(
    ([, before = '', language = '', text = '']) => ({
      before,
      language,
      text,
    }),
  )
}

/** A folder as a user of the project has it, in which `assay`, `agentv` and `npx` find the built program. */
function userFolder(): { cwd: string; env: NodeJS.ProcessEnv } {
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
  return { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } }
}

/** Output without what differs from run to run: times, ids of runs, and the order in which tests are finished. */
function steady(output: string): string {
  const lines = output
    .trimEnd()
    .replace(/<?\d+(\.\d+)? (ms|s)\b/g, '# ms')
    .replaceAll('# ms → # ms', '# ms')
    .replace(/\d{8}-\d{6}-[a-z]{4}/g, 'RUN')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .split('\n')
  const finished = lines.filter(line => /^\[ *\d+\/\d+\]/.test(line)).map(line => line.replace(/^\[ *\d+/, '[#'))
  finished.sort()
  return lines.map(line => (/^\[ *\d+\/\d+\]/.test(line) ? finished.shift() : line)).join('\n')
}

/** Commands behind `$ `, each with the output below it. */
function sessionOf(text: string): { command: string; output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.split('\n')
      return { command, output: output.join('\n').trimEnd() }
    })
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/security.md',
  ...['docs/guide', 'examples'].flatMap(folder =>
    (existsSync(join(ROOT, folder)) ? (readdirSync(join(ROOT, folder), { recursive: true }) as string[]) : [])
      .filter(file => file.endsWith('.md'))
      .map(file => `${folder}/${file}`),
  ),
]

// These install everything anew and run the whole of this project's checks: `.ci/run` executes them.
const BY_CI = [/<!-- (example|test) command -->/]
const OF_THE_PROJECT = ['CONTRIBUTING.md']

describe.each(pages)('%s', page => {
  const user = userFolder()

  it('shows what its commands print', { timeout: 240_000 }, async () => {
    for (const { language, text, before } of blocksOf(page)) {
      if (language === 'console') {
        const folder = page === 'README.md' ? { ...user, cwd: folderWith() } : user
        await checkSession(text, folder)
      }
      if (language !== 'sh' || BY_CI.some(pattern => pattern.test(before)) || OF_THE_PROJECT.includes(page)) continue
      const { code, stdout, stderr } = await run('sh', ['-ec', text], user)
      expect({ page, text, code, output: code === 0 ? '' : stdout + stderr }).toEqual({
        page,
        text,
        code: 0,
        output: '',
      })
    }
  })

  it('uses only languages that this test knows', () => {
    const known = ['sh', 'console', 'yaml', 'json', 'js', 'ts', 'python', 'text', 'jsonl']
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
      expect({ command, output: steady(stdout + stderr) }).toEqual({ command, output: steady(output) })
    }
  }
})

it('the suites that README.md shows have no mistakes', async () => {
  const suites = blocksOf('README.md').filter(({ language, text }) => language === 'yaml' && text.startsWith('name:'))
  expect(suites.length).toBeGreaterThan(0)
  for (const { text } of suites) {
    const { code, stdout } = await assay(['validate', '--strict'], { cwd: folderWith({ 'EVAL.yaml': `${text}\n` }) })
    expect([code, stdout]).toEqual([0, 'No problems: 1 file checked, 1 suite with 1 test.\n'])
  }
})

it('the commands of CONTRIBUTING.md are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const commands = blocksOf('CONTRIBUTING.md').flatMap(({ text }) => text.split('\n'))
  for (const command of commands) expect(command === 'npm ci' || command.replace('npm run ', '') in scripts).toBe(true)
})

const EXAMPLE = 'npx assay eval examples/quick-start'

it('README.md shows what its first command prints', async () => {
  const shown = blocksOf('README.md').find(({ before }) => before.includes('output of the example command'))
  const { code, stdout, stderr } = await run('sh', ['-c', EXAMPLE.replace('npx ', '')], userFolder())
  expect([code, steady(stdout + stderr)]).toEqual([0, steady(shown?.text ?? 'nothing')])
})

it('.ci/run executes the commands that README.md names', () => {
  const [example, all] = blocksOf('README.md').filter(({ language }) => language === 'sh')
  expect(example?.text).toBe(`npm ci && npm run build && ${EXAMPLE}`)
  expect(all?.text).toBe('npm ci && npm run check')
  const script = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  expect(script).toContain('<!-- test command -->')
  expect(script).toContain('<!-- example command -->')
})

it('links lead to files that are there', () => {
  const all = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[])
      .filter(file => file.endsWith('.md'))
      .map(file => `docs/${file}`),
  ]
  const broken = all.flatMap(page => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => link)
      .filter(link => !existsSync(join(ROOT, page, '..', link)))
      .map(link => `${page}: ${link}`)
  })
  expect(broken).toEqual([])
})
