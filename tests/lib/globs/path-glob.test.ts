import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathGlob, pathGlobProblem } from '../../../src/lib/globs/path-glob.ts'
import { cpuTimeOf } from '../../support/cpu-time.ts'

describe('a glob over paths', () => {
  it.each<[glob: string, matching: string[], other: string[]]>([
    ['a.ts', ['a.ts'], ['A.ts', 'b/a.ts', 'a.tsx', 'a.ts/b']],
    ['./src//./a.ts', ['src/a.ts'], ['a.ts']],
    ['*.ts', ['a.ts', '.ts', '.hidden.ts'], ['src/a.ts', 'a.js']],
    ['src/*', ['src/a', 'src/.env'], ['src', 'src/a/b']],
    ['**', ['a', 'a/b', '.git/config'], []],
    ['./', ['a', 'a/b'], []],
    ['**/*.ts', ['a.ts', 'x/a.ts', 'x/.y/a.ts'], ['a.js']],
    ['src/**', ['src/a', 'src/a/b/c', 'src/.a'], ['src', 'srca', 'x/src/a']],
    ['src/', ['src/a', 'src/a/b'], ['src']],
    ['src/**/', ['src/a', 'src/a/b'], ['src']],
    ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'], ['src/xa.ts']],
    ['**/a/**/b', ['a/b', 'x/a/y/z/b'], ['a', 'ab', 'a/b/c']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['a?c', ['abc', 'a.c', 'a😀c'], ['ac', 'abbc', 'a/c']],
    ['[abc].ts', ['a.ts', 'c.ts', '[abc].ts'], ['d.ts', 'ab.ts']],
    ['[a-c0-9]', ['b', '5'], ['d', '-']],
    ['[!a-c]', ['d'], ['a', 'b']],
    ['[^a]', ['b', '^'], ['a']],
    ['[]a]', [']', 'a'], ['b']],
    ['[a-]', ['a', '-'], ['b']],
    ['[\\]]', [']'], ['\\']],
    ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/id/page.tsx']],
    ['app/(group)/page.tsx', ['app/(group)/page.tsx'], ['app/group/page.tsx']],
    ['{a,b}.ts', ['a.ts', 'b.ts'], ['c.ts', '{a,b}.ts']],
    ['{src,test}/**', ['src/a', 'test/b/c'], ['lib/a']],
    ['{a/b,c}/d', ['a/b/d', 'c/d'], ['a/d']],
    ['{a,b{c,d}}e', ['ae', 'bce', 'bde'], ['be']],
    ['{,a}b', ['b', 'ab'], ['a']],
    ['{a,b}{1,2}', ['a1', 'b2'], ['ab']],
    ['[{]a,b}', ['{a,b}'], ['a']],
    ['\\{a\\}', ['{a}'], ['a']],
    ['\\*', ['*'], ['a']],
    ['a}', ['a}'], ['a']],
    ['größe/*.文', ['größe/a.文'], ['grosse/a.文']],
  ])('%s', (glob, matching, other) => {
    const { matches } = compilePathGlob(glob)
    expect(pathGlobProblem(glob)).toBe(undefined)
    expect(matching.filter(path => !matches(path))).toEqual([])
    expect(other.filter(path => matches(path))).toEqual([])
  })

  it.each([
    ['/etc/passwd', 'it is absolute'],
    ['C:\\a', 'it is absolute'],
    ['\\\\server\\a', 'it is absolute'],
    ['../a', 'it contains `..`'],
    ['a/../b', 'it contains `..`'],
    ['{a,..}/b', 'it contains `..`'],
    ['!a', 'it starts with `!`, which is not supported'],
    ['+(a|b)', 'groups such as `+(…)` are not supported; write `{a,b}`'],
    ['src\\a.ts', 'it contains a backslash; write `/` between folders'],
    ['a\\', 'it contains a backslash; write `/` between folders'],
    ['[[:alpha:]]', 'named classes such as `[[:alpha:]]` are not supported'],
    ['[a', 'a bracket is not closed; write `\\[` for a bracket'],
    ['[a/b]', 'a bracket is not closed; write `\\[` for a bracket'],
    ['{a,b', 'a brace is not closed; write `\\{` for a brace'],
    ['{a}', 'braces need at least two alternatives, as in `{a,b}`; write `\\{` for a brace'],
    ['{1..3}', 'braces need at least two alternatives, as in `{a,b}`; write `\\{` for a brace'],
    ['.', 'it names no file'],
    ['{a,.}', 'it names no file'],
    ['{a,b}'.repeat(10), 'its braces have more than 1000 alternatives'],
    ['a'.repeat(4097), 'it is longer than 4096 characters'],
  ])('reports %s', (glob, problem) => {
    expect(pathGlobProblem(glob)).toBe(problem)
  })

  it('covers what is below a folder that it names without wildcards', () => {
    const covered = (glob: string, ...paths: string[]) => paths.filter(path => compilePathGlob(glob).covers(path))
    expect(covered('test', 'test', 'test/a', 'test/a/b', 'tests/a')).toEqual(['test', 'test/a', 'test/a/b'])
    expect(covered('{test,spec}', 'test/a', 'spec/b', 'src/c')).toEqual(['test/a', 'spec/b'])
    expect(covered('src/*', 'src/a', 'src/a/b')).toEqual(['src/a'])
  })

  it('knows below which folders a match can be', () => {
    const below = (glob: string, ...folders: string[]) =>
      folders.filter(each => compilePathGlob(glob).mayMatchBelow(each))
    expect(below('src/*/a.ts', '', 'src', 'src/x', 'src/x/y', 'lib')).toEqual(['', 'src', 'src/x'])
    expect(below('**/a.ts', '', 'src', 'src/x/y')).toEqual(['', 'src', 'src/x/y'])
    expect(below('{a,b/c}/d', '', 'a', 'b', 'b/c', 'c')).toEqual(['', 'a', 'b', 'b/c'])
  })

  it('has a literal path without wildcards only', () => {
    const literals = ['./a/b', '\\*', 'a*', '{a,b}', 'a/'].map(glob => compilePathGlob(glob).literal)
    expect(literals).toEqual(['a/b', '*', undefined, undefined, undefined])
  })

  it('takes no longer with many stars', async () => {
    const time = await cpuTimeOf(() => {
      expect(compilePathGlob(`${'*a'.repeat(500)}b`).matches('a'.repeat(4000))).toBe(false)
      expect(compilePathGlob(`${'**/'.repeat(500)}b`).matches('a/'.repeat(1000))).toBe(false)
    })
    expect(time).toBeLessThan(5000)
  })

  it('matches a path that is written with escapes, whatever its characters', () => {
    const name = fc.stringMatching(/^[ab*?[\]{},!()@+^-]{1,12}$/)
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), names => {
        const path = names.join('/')
        const glob = names.map(each => each.replace(/[^ab-]/g, '\\$&')).join('/')
        expect(compilePathGlob(glob)).toMatchObject({ literal: path })
        expect(compilePathGlob(glob).matches(path)).toBe(true)
      }),
    )
  })
})
