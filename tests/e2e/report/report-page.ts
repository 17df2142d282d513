import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RunReader } from '../../../src/model/run-reader.ts'
import { html } from '../../../src/report/html.ts'
import { folderWith } from '../../support/program.ts'

/** The complete report as one string. */
export function reportText(run: RunReader): string {
  return [...html.render(run)].flatMap(({ text }) => [...text]).join('')
}

/** Writes the report to a file and returns its URL. */
export function reportFile(run: RunReader): string {
  const file = join(folderWith(), 'report.html')
  writeFileSync(file, reportText(run))
  return pathToFileURL(file).href
}

/** A page with its requests and errors. */
export interface ObservedPage {
  readonly page: Page
  /** Requests other than the file itself, errors, messages and dialogs. */
  readonly events: string[]
}

/** Opens a report from the disk. */
export async function openReport(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  script?: string,
): Promise<ObservedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  // Only the limit of the test ends a wait: the speed of a machine never decides.
  context.setDefaultTimeout(0)
  if (script !== undefined) await context.addInitScript({ content: script })
  const page = await context.newPage()
  const events: string[] = []
  const file = address.replace(/#.*/, '')
  page.on('request', request => {
    if (request.url().replace(/#.*/, '') !== file && request.url() !== 'data:,') events.push(`request ${request.url()}`)
  })
  page.on('pageerror', error => events.push(`error ${error.message}`))
  page.on('console', message => events.push(`console ${message.text()}`))
  page.on('dialog', dialog => {
    events.push(`dialog ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  await page.goto(address)
  return { page, events }
}

/** The names of the tests in the table, from the top. */
export function shownTests(page: Page): Promise<string[]> {
  return page.locator('table.rows tbody th a').allTextContents()
}

/** Waits until a condition is true. */
export function eventually<Value>(value: () => Value | Promise<Value>) {
  return expect.poll(value)
}
