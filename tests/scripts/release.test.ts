import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, type Result, run } from '../support/program.ts'

const RELEASE = join(import.meta.dirname, '../../scripts/release.mjs')
const ENTRIES = '### Added\n\n- A flag `--fast`.\n\n### Fixed\n\n- A crash.'
const EARLIER = '## 0.1.0 - 2026-01-02\n\n### Added\n\n- Everything.\n'
const lock = (version: string) =>
  `${JSON.stringify({ name: 'a', version, packages: { '': { version }, 'node_modules/b': { version } } }, null, 2)}\n`

/** Runs git with a fixed identity. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const result = await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd })
  expect(result).toMatchObject({ code: 0 })
  return result.stdout.trim()
}

/** A repository at 0.1.0, with these entries under Unreleased. */
async function repository({ entries = ENTRIES, check = 'node -e 0' } = {}): Promise<string> {
  const folder = folderWith({
    'package.json': `{\n  "name": "a",\n  "version": "0.1.0",\n  "keywords": ["b"],\n  "scripts": { "check": "${check}" }\n}\n`,
    'package-lock.json': lock('0.1.0'),
    'CHANGELOG.md': `# Changelog\n\n## Unreleased\n\n${entries && `${entries}\n\n`}${EARLIER}`,
  })
  await git(folder, 'init', '-q', '-b', 'main')
  await git(folder, 'add', '.')
  await git(folder, 'commit', '-q', '-m', 'Begin')
  return folder
}

function release(cwd: string, ...args: string[]): Promise<Result> {
  const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.example' }
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.example' }
  return run(process.execPath, [RELEASE, ...args], { cwd, env: { ...identity, ...committer } })
}

/** The state that a rejected release must not change. */
async function stateOf(folder: string): Promise<unknown> {
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md']
  return [
    ...files.map(file => readFileSync(join(folder, file), 'utf8')),
    await git(folder, 'rev-parse', 'HEAD'),
    await git(folder, 'tag', '--list'),
  ]
}

describe('npm run release', () => {
  it('writes the version and the heading of the changelog, commits and tags', async () => {
    const folder = await repository()
    const { code, stdout } = await release(folder, '0.2.0')
    expect(code).toBe(0)
    expect(stdout).toContain('git push --follow-tags origin main')
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').replace(/\d{4}-\d\d-\d\d/, 'TODAY')).toBe(
      `# Changelog\n\n## Unreleased\n\n## 0.2.0 - TODAY\n\n${ENTRIES}\n\n${EARLIER}`,
    )
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"version": "0.2.0",\n  "keywords": ["b"]')
    expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe(
      lock('0.1.0').replace('0.1.0', '0.2.0').replace('0.1.0', '0.2.0'),
    )
    expect(await git(folder, 'log', '-1', '--format=%s')).toBe('Release 0.2.0')
    expect(await git(folder, 'tag', '--list', '--format=%(contents)', '--points-at', 'HEAD')).toBe(
      `v0.2.0\n\n${ENTRIES}`,
    )
    expect(await git(folder, 'status', '--porcelain')).toBe('')
  })

  it('tags a first release whose changelog section exists', async () => {
    const folder = await repository({ entries: '' })
    expect(await release(folder, '0.1.0')).toMatchObject({ code: 0 })
    expect(await git(folder, 'tag', '--list')).toBe('v0.1.0')
    expect(await git(folder, 'rev-list', '--count', 'HEAD')).toBe('1')
  })

  it('changes nothing with --dry-run, and prints what it would do', async () => {
    const folder = await repository({ check: 'exit 1' })
    const before = await stateOf(folder)
    const { code, stdout } = await release(folder, '0.2.0', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('would commit "Release 0.2.0" and tag it v0.2.0')
    expect(stdout).toContain(ENTRIES)
    expect(await stateOf(folder)).toEqual(before)
  })

  const refused: [name: string, args: string[], message: string, prepare?: (folder: string) => unknown][] = [
    ['a changed file', ['0.2.0'], 'README.md', folder => writeFileSync(join(folder, 'README.md'), 'new')],
    ['another branch', ['0.2.0'], 'not from topic', folder => git(folder, 'checkout', '-q', '-b', 'topic')],
    ['a detached HEAD', ['0.2.0'], 'a detached HEAD', folder => git(folder, 'checkout', '-q', '--detach')],
    ['an existing tag', ['0.2.0'], 'v0.2.0 exists already', folder => git(folder, 'tag', 'v0.2.0')],
    ['a version below the current one', ['0.0.9'], '0.0.9 is older than 0.1.0'],
    ['a version in another form', ['v0.2'], 'v0.2 is not a version'],
    ['entries beside a section of the version', ['0.1.0'], 'has a section 0.1.0 and entries under Unreleased'],
    ['a missing version', [], 'usage'],
    ['an unknown flag', ['0.2.0', '--force'], 'usage'],
  ]

  it.each(refused)('rejects %s', async (_, args, message, prepare) => {
    const folder = await repository()
    await prepare?.(folder)
    const before = await stateOf(folder)
    const { code, stderr } = await release(folder, ...args)
    expect(stderr).toContain(message)
    expect(code).toBe(1)
    expect(await stateOf(folder)).toEqual(before)
  })

  it('rejects an empty Unreleased section', async () => {
    const folder = await repository({ entries: '' })
    expect(await release(folder, '0.2.0')).toMatchObject({
      code: 1,
      stderr: 'release: CHANGELOG.md has no entries under Unreleased\n',
    })
  })

  it('rejects a tree whose check fails', async () => {
    const folder = await repository({ check: 'exit 3' })
    const before = await stateOf(folder)
    const { code, stderr } = await release(folder, '0.2.0')
    expect(stderr).toContain('`npm run check` failed')
    expect(code).toBe(1)
    expect(await stateOf(folder)).toEqual(before)
  })
})
