import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedFiles } from '../../scripts/generated-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const FILES = generatedFiles()

it('schemas and reference pages are up to date (run `npm run generate`)', () => {
  const stale = [...FILES].filter(([path, text]) => read(path) !== text).map(([path]) => path)
  expect(stale).toEqual([])
})

it('the reference has no stale pages', () => {
  const pages = (readdirSync(join(ROOT, 'docs/reference'), { recursive: true }) as string[])
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/reference/${file.replaceAll('\\', '/')}`)
  expect(pages.filter(page => !FILES.has(page))).toEqual([])
})

function read(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return undefined
  }
}
