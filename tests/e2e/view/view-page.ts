import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { html } from '../../../src/report/html.ts'
import type { ReportOptions } from '../../../src/report/reporter.ts'
import { AXE } from '../report/axe.ts'
import { reportRun } from '../report/report-runs.ts'

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
  // Only the limit of the test ends a wait: the speed of a machine never decides.
  context.setDefaultTimeout(0)
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

export const WIDTHS = [390, 1440]

/** Checks that a page fits its width in both schemes. */
export async function expectFit(page: Page, width: number): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
}
