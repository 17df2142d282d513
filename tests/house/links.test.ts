import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const pages = [
  ...readdirSync(ROOT),
  ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[]).map(file => join('docs', file)),
  ...(readdirSync(join(ROOT, 'examples'), { recursive: true }) as string[]).map(file => join('examples', file)),
].filter(file => file.endsWith('.md'))

/** The text of a page without code. */
function prose(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1`*\s*$/gm, '').replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
}

/** The targets of the links and images of a page, except other sites. */
function targetsIn(text: string): string[] {
  const inline = [...prose(text).matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
  const defined = [...prose(text).matchAll(/^\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm)]
  return [...inline, ...defined].map(([, target = '']) => target).filter(target => !/^[a-z][a-z0-9+.-]*:/i.test(target))
}

/** The anchors that GitHub generates for the headings of a page. */
function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>()
  const withoutBlocks = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1`*\s*$/gm, '')
  for (const [, heading = ''] of withoutBlocks.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = words.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  for (const [, id = ''] of withoutBlocks.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id)
  return anchors
}

/** The problem of a link; undefined if it is valid. */
function problemOf(target: string, page: string): string | undefined {
  const [path = '', anchor] = target.split('#').map(decodeURIComponent)
  const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path)
  if (relative(ROOT, file).startsWith('..') || path.startsWith('/')) return `${target}: outside of the repository`
  if (!existsSync(file)) return `${target}: no such file`
  if (anchor === undefined) return undefined
  if (statSync(file).isDirectory() || !file.endsWith('.md')) return `${target}: an anchor in what is no page`
  return anchorsIn(readFileSync(file, 'utf8')).has(anchor) ? undefined : `${target}: no such heading`
}

describe('every link points to an existing file and heading', () => {
  it.each(pages)('%s', page => {
    const targets = targetsIn(readFileSync(join(ROOT, page), 'utf8'))
    expect(targets.flatMap(target => problemOf(target, page) ?? [])).toEqual([])
  })

  it('reports broken links', () => {
    const text =
      '# A `b_c` & D\n[x](gone.md) ![y](README.md#a-tour) `[z](no.md)`\n```\n[q](no.md)\n```\n[s](https://x.y/z.md)\n\n[t]: docs/none.md\n'
    expect(targetsIn(text)).toEqual(['gone.md', 'README.md#a-tour', 'docs/none.md'])
    expect([...anchorsIn(text)]).toEqual(['a-b_c--d'])
    expect(problemOf('gone.md', 'README.md')).toBe('gone.md: no such file')
    expect(problemOf('README.md#none', 'README.md')).toBe('README.md#none: no such heading')
    expect(problemOf('../../README.md', 'docs/guide/running.md')).toBeUndefined()
    expect(problemOf('/README.md', 'docs/guide/running.md')).toBe('/README.md: outside of the repository')
  })
})
