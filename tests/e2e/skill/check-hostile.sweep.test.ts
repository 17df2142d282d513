import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../support/cpu-time.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { check, codesOf, type Found, skillFile, withEvals } from '../../support/skill-checks.ts'

describe('hostile skills', () => {
  const text = (description: string) => `---\nname: one\ndescription: ${description}\n---\n`

  it('reads CRLF and a byte order mark', async () => {
    const crlf = `\uFEFF${skillFile('one', undefined, '[a](missing.md)').replaceAll('\n', '\r\n')}`
    expect(await codesOf(withEvals('one', crlf))).toEqual(['one/SKILL.md:6 error file-missing'])
  })

  it('reports a SKILL.md that is empty, not UTF-8, a folder, or named otherwise', async () => {
    const cwd = folderWith({ 'empty/SKILL.md': '', 'case/skill.md': skillFile('case') })
    mkdirSync(join(cwd, 'folder/SKILL.md'), { recursive: true })
    mkdirSync(join(cwd, 'bytes'))
    writeFileSync(join(cwd, 'bytes/SKILL.md'), new Uint8Array([45, 45, 45, 10, 0xff, 0xfe]))
    mkdirSync(join(cwd, 'loop'))
    symlinkSync('SKILL.md', join(cwd, 'loop/SKILL.md'))
    const { code, stdout } = await assay(['skill', 'check', '.', 'case', '--json'], { cwd })
    const found = (JSON.parse(stdout) as { diagnostics: Found[] }).diagnostics.map(
      ({ file, code }) => `${file} ${code}`,
    )
    expect(code).toBe(2)
    expect(found.sort()).toEqual([
      'bytes/SKILL.md not-utf8',
      'case/skill.md file-missing',
      'empty/SKILL.md no-frontmatter',
      'folder/SKILL.md file-unreadable',
      'loop/SKILL.md file-unreadable',
    ])
  })

  it('does not follow a link above the folder forever', async () => {
    const cwd = folderWith(withEvals('one'))
    symlinkSync('..', join(cwd, 'one/up'))
    const { stdout } = await assay(['skill', 'check', '.'], { cwd })
    expect(stdout).toBe('No problems: 1 skill checked.\n')
  })

  it('prints control characters visibly', async () => {
    const { stdout } = await check(withEvals('one', text('"Helps with \\e[31mPDFs\\a and <b> the like"')))
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  it('reports each of many aliases, deep nesting and unusual keys as a diagnostic', async () => {
    expect(await codesOf(withEvals('one', text('&a [*a]')))).toEqual(['one/SKILL.md:3 error unsafe-yaml'])
    expect(await codesOf(withEvals('one', `---\n__proto__: {a: 1}\n---\n`))).toEqual([
      'one/SKILL.md:2 error unsafe-yaml',
    ])
    expect(await codesOf(withEvals('one', text(`${'['.repeat(5000)}`)))).toContain('one/SKILL.md:3 error unsafe-yaml')
  })

  it('counts characters as people do', async () => {
    const emoji = (count: number) => text(`Use when ${'🙂'.repeat(count)}`)
    expect(await codesOf(withEvals('one', emoji(1015)))).toEqual([])
    expect(await codesOf(withEvals('one', emoji(1016)))).toEqual(['one/SKILL.md:3 error out-of-range'])
  })

  it.each([
    ['brackets', '['.repeat(2_000_000)],
    ['links', '[a](b.md) '.repeat(200_000)],
    ['open links', ']('.repeat(2_000_000)],
    ['backticks', '` '.repeat(2_000_000)],
    ['fences', '```\n'.repeat(1_000_001)],
    ['comments', '<!--'.repeat(1_000_000)],
    ['paths', 'scripts/'.repeat(500_000)],
    ['dots', `scripts/${'.a'.repeat(1_000_000)}`],
    ['frontmatter marks', '---\n'.repeat(1_000_000)],
  ])('takes a few seconds at most for megabytes of %s', async (_, body) => {
    const time = await cpuTimeOf(async () => {
      const codes = await codesOf(withEvals('one', skillFile('one', undefined, body)))
      expect(codes.filter(code => code.endsWith('long-skill')).length).toBe(1)
    })
    expect(time).toBeLessThan(10_000)
  })

  it('compares 200 skills in one folder', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `skill-${index}`)
    const files = Object.assign(
      {},
      ...names.map(name => withEvals(name, skillFile(name, `Handles ${name} documents. Use when ${name} is named.`))),
    )
    const { code, stdout } = await check(files)
    expect(code).toBe(0)
    expect(stdout).toContain('200 skills checked')
  })
})
