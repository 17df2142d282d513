import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { html } from '../../../src/report/html.ts'
import type { ReportOptions } from '../../../src/report/reporter.ts'
import { reportRun } from '../report/report-runs.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page with what it asks other servers for, its errors, messages and dialogs. */
export interface OpenView {
  readonly page: Page
  readonly events: string[]
}

/** Opens an address of a view server. */
export async function openView(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenView> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  await context.addInitScript({ content: AXE })
  const page = await context.newPage()
  const events: string[] = []
  const { origin } = new URL(address)
  page.on('request', request => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) events.push(`request ${request.url()}`)
  })
  page.on('pageerror', error => events.push(`error ${error.message}`))
  page.on('dialog', dialog => events.push(`dialog ${dialog.message()}`))
  await page.goto(address)
  return { page, events }
}

/** The text of an element as it is shown. */
export async function shownText(element: Locator): Promise<string> {
  return (await element.allInnerTexts()).join('\n')
}

/** Serious problems of accessibility. */
export async function seriousProblems(page: Page): Promise<unknown[]> {
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

/** The data of a run as `assay view` serves them: the overview, and the results of each row. */
export function runAnswers(run: string, results: readonly Partial<Result>[], options?: ReportOptions) {
  const text = [...html.render(reportRun(results, results.length), options)].flatMap(file => [...file.text]).join('')
  const blocks = text.matchAll(/<script type="application\/json" id="([\w-]+)">(.*?)<\/script>/g)
  const data = new Map([...blocks].map(([, id = '', json = '']) => [id, JSON.parse(json) as unknown]))
  const rows = [...data].flatMap(([id, value]) => (id.startsWith('test-') ? [[id.slice(5), value] as const] : []))
  return {
    [`api/runs/${run}`]: data.get('run'),
    ...Object.fromEntries(rows.map(([index, value]) => [`api/runs/${run}/tests/${index}`, value])),
  }
}

export const SIZES = [
  [390, 'light'],
  [390, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const

/** Whether the page fits its width. */
export async function expectFit(page: Page, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
}
