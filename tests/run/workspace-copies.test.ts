import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { Prompt } from '../../src/model/prompt.ts'
import { folderIssues } from '../../src/providers/shared/programs/program-fields.ts'
import { placeFiles } from '../../src/run/policies/workspace.ts'
import { Workspaces } from '../../src/run/workspaces.ts'
import { folderWith } from '../support/program.ts'

afterEach(() => void vi.unstubAllEnvs())

const host = nodeHost()
const copyOf = (folder: string) => new Workspaces(host).create(folder)

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, stdio: 'pipe' })
}

/** The names below a folder; links are not followed. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}

async function namesInCopy(folder: string): Promise<string[]> {
  return namesIn(await copyOf(folder))
}

/** Copies a workspace and places the input files `paths` in the copy. */
async function placedFiles(files: Record<string, string>, inputs: readonly string[], workspace = 'app') {
  const folder = folderWith({ 'app/a.txt': 'of the app', ...files })
  const copy = await copyOf(join(folder, workspace))
  const content = inputs.map(path => ({ type: 'file', value: path, path: join(folder, path) }))
  const prompt = { messages: [{ role: 'user', content }], folder: join(folder, 'suite') } as unknown as Prompt
  const [message] = await placeFiles(prompt, join(folder, workspace), copy, host)
  const paths = (message?.content ?? []).map(({ path = '' }) => path.replace(`${copy}/`, ''))
  return { copy, paths, read: (name: string) => readFileSync(join(copy, name), 'utf8') }
}

describe('copying a workspace', () => {
  it('runs no programs of the workspace', async () => {
    const folder = folderWith({ a: '' })
    git(folder, 'init', '-q')
    folderWith({ '.git/watch.sh': `#!/bin/sh\ntouch "${folder}/was-run"\n` }, folder)
    chmodSync(join(folder, '.git/watch.sh'), 0o755)
    git(folder, 'config', 'core.fsmonitor', join(folder, '.git/watch.sh'))
    await copyOf(folder)
    expect(existsSync(join(folder, 'was-run'))).toBe(false)
  })

  it('keeps unusual file names', async () => {
    const odd = ['a\nb', '-rf', '😀 é', 'CON.txt', ' blank', '"quoted"', 'back\\slash']
    const folder = folderWith(Object.fromEntries(odd.map(name => [name, ''])))
    expect(await namesInCopy(folder)).toEqual([...odd].sort())
    git(folder, 'init', '-q')
    expect(await namesInCopy(folder)).toEqual([...odd].sort())
  })

  it.runIf(process.platform === 'linux')('copies names that are not UTF-8, or fails', async () => {
    const folder = folderWith({ a: '' })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), 'x')
    const plain = await copyOf(folder).then(namesIn, () => 'failed')
    git(folder, 'init', '-q')
    const known = await copyOf(folder).then(namesIn, () => 'failed')
    for (const outcome of [plain, known]) if (outcome !== 'failed') expect(outcome).toHaveLength(2)
  })

  it('handles links that form a cycle or lead to the root or to the folder itself', async () => {
    const folder = folderWith({ 'sub/a': '' })
    for (const [name, to] of Object.entries({ one: 'two', two: 'one', root: '/', self: '.', up: '..' }))
      symlinkSync(to, join(folder, name))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const copy = await copyOf(folder)
    expect(readdirSync(copy).sort()).toEqual(['one', 'self', 'sub', 'two'])
    expect(lstatSync(join(copy, 'self')).isSymbolicLink()).toBe(true)
  })
})

describe('a copy that fails', () => {
  it.runIf(process.platform === 'linux')('leaves no files, not even of copies in progress', async () => {
    const folder = folderWith({
      'tmp/x': '',
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`app/sub-${n % 7}/file-${n}`, 'x'])),
    })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/app/caf`), Buffer.from([0xe9])]), 'x')
    vi.stubEnv('TMPDIR', join(folder, 'tmp'))
    await expect(copyOf(join(folder, 'app'))).rejects.toThrow('has a name that is not UTF-8')
    expect(namesIn(join(folder, 'tmp'))).toEqual(['x'])
  })
})

describe('dangling links in a workspace', () => {
  it('do not lead out of the copy: files written through them stay in it', async () => {
    const folder = folderWith({ 'app/a': '' })
    symlinkSync(join(folder, 'app/log.txt'), join(folder, 'app/within'))
    symlinkSync(join(folder, 'made.txt'), join(folder, 'app/absolute'))
    const above = `../assay-does-not-exist-${process.pid}.txt`
    symlinkSync(above, join(folder, 'app/above'))
    const copy = await copyOf(join(folder, 'app'))
    for (const name of ['within', 'absolute', 'above']) {
      if (namesIn(copy).includes(name)) writeFileSync(join(copy, name), 'by the agent')
    }
    expect(namesIn(folder)).toEqual(['app', 'app/a', 'app/above', 'app/absolute', 'app/within'])
    expect(existsSync(join(copy, above))).toBe(false)
  })

  it('are replaced by an input file of that name, not followed', async () => {
    const folder = folderWith({ 'app/a': '', 'suite/notes.txt': 'a note' })
    symlinkSync(join(folder, 'elsewhere.txt'), join(folder, 'app/notes.txt'))
    const copy = await copyOf(join(folder, 'app'))
    const content = [{ type: 'file', value: 'notes.txt', path: join(folder, 'suite/notes.txt') }]
    const prompt = { messages: [{ role: 'user', content }], folder: join(folder, 'suite') } as unknown as Prompt
    await placeFiles(prompt, join(folder, 'app'), copy, host)
    expect(existsSync(join(folder, 'elsewhere.txt'))).toBe(false)
    expect(readFileSync(join(copy, 'notes.txt'), 'utf8')).toBe('a note')
  })
})

describe('files that git ignores', () => {
  /** A workspace with a file that the repository above it ignores. */
  function repository(): string {
    const folder = folderWith({ '.gitignore': 'secret.txt\n', 'app/a': '', 'app/secret.txt': 'x' })
    git(folder, 'init', '-q')
    return join(folder, 'app')
  }

  it('are not copied, even if a folder above ignores them, nor are staged files that were deleted', async () => {
    const app = repository()
    folderWith({ staged: 'x' }, app)
    git(app, 'add', '.')
    execFileSync('rm', [join(app, 'staged')])
    expect(await namesInCopy(app)).toEqual(['a'])
  })

  it('are copied if the workspace itself is ignored, as without git', async () => {
    const folder = folderWith({ '.gitignore': 'app\n', 'app/a': '', 'app/b/.gitignore': 'c\n', 'app/b/c': '' })
    git(folder, 'init', '-q')
    const everything = ['a', 'b', 'b/.gitignore', 'b/c']
    expect(await namesInCopy(join(folder, 'app'))).toEqual(everything)
    vi.stubEnv('PATH', folder)
    expect(await namesInCopy(join(folder, 'app'))).toEqual(everything)
  })

  it('are not copied in git hooks, which set GIT_DIR', async () => {
    const app = repository()
    vi.stubEnv('GIT_DIR', join(app, '../.git'))
    expect(await namesInCopy(app)).toEqual(['a'])
  })

  it('are never copied if git refuses to list them', async () => {
    const app = repository()
    // As in a container where another user owns the files.
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
    expect(await namesInCopy(app).catch(() => ['rejected'])).not.toContain('secret.txt')
  })

  it('and recorded runs are not copied, even if the runs are tracked', async () => {
    const files = { '.assay/runs/1/answers.jsonl': '', '.assay/cache/x': '', '.assay/targets.yaml': '', 'sub/runs': '' }
    const folder = folderWith(files)
    git(folder, 'init', '-q')
    git(folder, 'add', '-f', '.')
    expect(await namesInCopy(folder)).toEqual(['.assay', '.assay/targets.yaml', 'sub', 'sub/runs'])
  })

  it('are not copied from nested repositories and submodules', async () => {
    const folder = folderWith({ 'app/a': '', 'app/inner/.gitignore': 'build\n', 'app/inner/b': '' })
    folderWith({ 'other/.gitignore': 'build\n', 'other/c': '' }, folder)
    for (const name of ['app', 'app/inner', 'other']) git(join(folder, name), 'init', '-q')
    git(join(folder, 'other'), 'add', '.')
    git(join(folder, 'other'), 'commit', '-qm', 'c')
    git(join(folder, 'app'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../other', 'module')
    folderWith({ 'app/inner/build': 'x', 'app/module/build': 'x' }, folder)
    const names = await namesInCopy(join(folder, 'app'))
    expect(names).toEqual(expect.arrayContaining(['a', 'inner/b', 'module/c']))
    expect(names.filter(name => name.endsWith('build'))).toEqual([])
  })
})

describe('a repository', () => {
  it('can be copied if a link has replaced a folder', async () => {
    const folder = folderWith({ 'old/a': '1', 'zone/a': '2' })
    git(folder, 'init', '-q')
    git(folder, 'add', '.')
    execFileSync('rm', ['-r', join(folder, 'old')])
    symlinkSync('zone', join(folder, 'old'))
    expect(readFileSync(join(await copyOf(folder), 'old/a'), 'utf8')).toBe('2')
  })

  it('can be copied from a separate worktree', async () => {
    const folder = folderWith({ 'main/a': '' })
    git(join(folder, 'main'), 'init', '-q')
    git(join(folder, 'main'), 'add', '.')
    git(join(folder, 'main'), 'commit', '-qm', 'a')
    git(join(folder, 'main'), 'worktree', 'add', '-q', '../tree')
    expect(await namesInCopy(join(folder, 'tree'))).toEqual(['a'])
  })
})

describe('copies of a workspace', () => {
  it('are not copied themselves if temporary folders are inside the workspace', async () => {
    const folder = folderWith({ a: '' })
    mkdirSync(join(folder, 'tmp'))
    vi.stubEnv('TMPDIR', join(folder, 'tmp'))
    const workspaces = new Workspaces(host)
    const first = await workspaces.create(folder)
    const second = await workspaces.create(folder)
    expect([first, second].map(copy => namesIn(copy).filter(name => name.endsWith('/a')))).toEqual([[], []])
  })
})

describe('an invalid workspace or cwd is reported before the run', () => {
  const folder = folderWith({ 'app/sub/a': '', 'a.txt': '' })
  const codes = async (workspace: string, cwd?: string) =>
    (await folderIssues({ workspace, cwd }, folder, host)).map(({ code, path }) => `${code} ${path}`)

  it.each([
    ['a.txt', undefined, ['file-missing workspace']],
    ['nowhere', undefined, ['file-missing workspace']],
    ['app', '..', ['bad-target cwd']],
    ['app', '/', ['bad-target cwd']],
    ['app', '../app-2', ['bad-target cwd']],
    ['app', 'sub', []],
    ['.', undefined, []],
  ])('%s with the cwd %s', async (workspace, cwd, expected) => {
    expect(await codes(workspace, cwd)).toEqual(expected)
  })
})

describe('input files', () => {
  it('keep their path in the workspace or the suite, else get their unique name', async () => {
    const files = { 'suite/in/b.txt': 'b', 'one/c.txt': '1', 'two/c.txt': '2' }
    const inputs = ['app/a.txt', 'suite/in/b.txt', 'one/c.txt', 'two/c.txt', 'one/c.txt']
    const placed = await placedFiles(files, inputs)
    expect(placed.paths).toEqual(['a.txt', 'in/b.txt', 'c.txt', '2/c.txt', 'c.txt'])
    expect(namesIn(placed.copy)).toEqual(['2', '2/c.txt', 'a.txt', 'c.txt', 'in', 'in/b.txt'])
  })

  it('do not replace files of the workspace', async () => {
    const { paths, read } = await placedFiles({ 'suite/a.txt': 'of the suite' }, ['suite/a.txt'])
    expect(read('a.txt')).toBe('of the app')
    expect(read(paths[0] ?? '')).toBe('of the suite')
  })

  it('get another folder if a file of the workspace has its name', async () => {
    const { paths, read } = await placedFiles({ 'app/data': 'a file', 'suite/data/x.csv': 'x' }, ['suite/data/x.csv'])
    expect(paths).toEqual(['2/data/x.csv'])
    expect(read('2/data/x.csv')).toBe('x')
  })

  it('keep their path in a workspace behind a link', async () => {
    const folder = folderWith({ 'app/a.txt': '' })
    symlinkSync('app', join(folder, 'current'))
    const copy = await copyOf(join(folder, 'current'))
    const content = [{ type: 'file', value: 'app/a.txt', path: join(folder, 'app/a.txt') }]
    const prompt = { messages: [{ role: 'user', content }], folder } as unknown as Prompt
    await placeFiles(prompt, join(folder, 'current'), copy, host)
    expect(namesIn(copy)).toEqual(['a.txt'])
  })
})
