import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { reportFormats } from '../../src/report/index.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/guide')

it.each(reportFormats)('docs/guide/reports.md has a row for $type', ({ type, extension = '' }) => {
  const rows = readFileSync(join(GUIDE, 'reports.md'), 'utf8').split('\n')
  const row = rows.find(line => line.startsWith(`| \`${type}\` |`))
  const hint = `add a row for ${type} to the table of formats in docs/guide/reports.md`
  expect(row, hint).toBeDefined()
  expect(row).toContain(extension)
})

it.each(commands.map(({ name }) => name))('README.md or the guide shows `assay %s`', name => {
  const guide = readdirSync(GUIDE).filter(file => file.endsWith('.md'))
  const pages = [join(ROOT, 'README.md'), ...guide.map(file => join(GUIDE, file))]
  const named = pages.filter(page => new RegExp(`\\bassay ${name}\\b`).test(readFileSync(page, 'utf8')))
  expect(named, `document \`assay ${name}\` in the page of docs/guide on its subject`).not.toEqual([])
})
