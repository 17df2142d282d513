import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileToolsIn } from '../../support/judges/file-tools.ts'
import { folderWith } from '../../support/program.ts'

const SECRET = 'THE SECRET'

/** A folder for a judge, with secrets beside it and links to them. */
function folderBesideSecrets() {
  const around = folderWith({
    'inside/file.txt': 'fine',
    'inside/sub/file.txt': 'fine',
    'inside-too/secret.txt': SECRET,
    'secret.txt': SECRET,
    'outside/secret.txt': SECRET,
  })
  const inside = join(around, 'inside')
  symlinkSync(join(around, 'secret.txt'), join(inside, 'file-link'))
  symlinkSync('../secret.txt', join(inside, 'relative-link'))
  symlinkSync(join(around, 'outside'), join(inside, 'folder-link'))
  symlinkSync('sub/second', join(inside, 'first'))
  symlinkSync('../third', join(inside, 'sub/second'))
  symlinkSync('../outside', join(inside, 'third'))
  symlinkSync('/', join(inside, 'root'))
  symlinkSync('..', join(inside, 'up'))
  return { around, inside }
}

describe('paths that lead outside the folder', () => {
  let around: string
  let inside: string
  beforeAll(() => {
    ;({ around, inside } = folderBesideSecrets())
  })

  const PATHS: readonly [name: string, path: (around: string) => string][] = [
    ['dots', () => '../secret.txt'],
    ['dots after an existing folder', () => 'sub/../../secret.txt'],
    ['dots after a missing folder', () => 'no/such/../../../secret.txt'],
    ['dots to a folder whose name begins alike', () => '../inside-too/secret.txt'],
    ['an absolute path', around => join(around, 'secret.txt')],
    ['an absolute path to what is inside', around => join(around, 'inside/file.txt')],
    ['an absolute path through the folder', around => `${join(around, 'inside')}/../secret.txt`],
    ['a link to a file', () => 'file-link'],
    ['a relative link to a file', () => 'relative-link'],
    ['a link to a folder', () => 'folder-link/secret.txt'],
    ['a link to a folder, and dots', () => 'folder-link/sub/../secret.txt'],
    ['a chain of links', () => 'first/secret.txt'],
    ['a link to the root of the disk', around => join('root', around, 'secret.txt')],
    ['a link to the folder above', () => 'up/secret.txt'],
    ['a link to the folder above, and back', around => `up/${basename(around)}/../secret.txt`],
    ['escapes of URLs', () => '%2e%2e/secret.txt'],
    ['escapes of URLs, twice', () => '%252e%252e%252fsecret.txt'],
    ['a NUL', () => '../secret.txt\0.md'],
    ['a NUL in a name', () => 'file.txt\0.md'],
    ['a NUL after an existing file', () => 'file.txt\0/../../secret.txt'],
    ['a slash at the end', () => '../secret.txt/'],
    ['a link with a slash at the end', () => 'file-link/'],
    ['separators of Windows', () => '..\\secret.txt'],
    ['an absolute path of Windows', () => 'C:\\Windows\\win.ini'],
    ['a share of Windows', () => '\\\\server\\share\\secret.txt'],
    ['letters that look like dots', () => '\u2024\u2024/secret.txt'],
    ['wide dots', () => '\uff0e\uff0e/secret.txt'],
    ['a character that looks like a slash', () => '..\u2215secret.txt'],
    ['a file URL', around => `file://${join(around, 'secret.txt')}`],
    ['the home folder', () => '~/secret.txt'],
    ['the files of the process', () => '/proc/self/environ'],
  ]

  it.each(PATHS)('rejects %s in read, list and search', async (_, pathIn) => {
    const path = pathIn(around)
    const folder = path.replace(/\/?secret\.txt\/?$/, '')
    const { read, list, search } = fileToolsIn(inside)
    const outputs = [await read(path), await list(path), await search('SECRET', { path })]
    if (folder !== '' && folder !== path) outputs.push(await list(folder), await search('SECRET', { path: folder }))
    for (const output of outputs) {
      expect(output).toMatch(/ in the folder$| outside the folder$|relative to the folder$/)
      expect(output).not.toContain(SECRET)
    }
  })

  it('are not followed by a search', async () => {
    expect(await fileToolsIn(inside).search('SECRET')).toBe('[no matches in 2 files]')
    expect(await fileToolsIn(inside).search('fine')).toBe('file.txt:1: fine\nsub/file.txt:1: fine')
  })
})

describe('a folder that was replaced', () => {
  it('by a link is rejected, on the first and on later calls', async () => {
    const { around, inside } = folderBesideSecrets()
    const { read, list, search } = fileToolsIn(inside)
    expect(await read('file.txt')).toBe('fine')
    renameSync(inside, join(around, 'moved'))
    symlinkSync(join(around, 'outside'), inside)
    const words = 'the folder no longer exists'
    expect([await read('secret.txt'), await list(), await search('SECRET')]).toEqual([words, words, words])
    expect(await fileToolsIn(inside).read('secret.txt')).toBe(words)
  })

  it('by a file, or removed, is reported as gone', async () => {
    const { around, inside } = folderBesideSecrets()
    renameSync(inside, join(around, 'moved'))
    expect(await fileToolsIn(inside).read('file.txt')).toBe('the folder no longer exists')
    expect(await fileToolsIn(join(around, 'secret.txt')).list()).toBe('`` is a file, not a folder: use `read`')
  })

  it('may have links above it', async () => {
    const { around } = folderBesideSecrets()
    mkdirSync(join(around, 'links'))
    symlinkSync(around, join(around, 'links/around'))
    expect(await fileToolsIn(join(around, 'links/around/inside')).read('file.txt')).toBe('fine')
  })
})
