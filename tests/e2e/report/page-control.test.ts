import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { runOf } from '../../support/recorded-run.ts'
import { openReport, reportFile } from './report-page.ts'

describeWithChromium('a control arm, on the page', () => {
  let browser: Browser
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    const failed = { score: 0, verdict: 'fail' } as const
    const run = runOf([
      { test_id: 'one', target: 'with' },
      { test_id: 'one', target: 'without <b>', control: true, ...failed },
      { test_id: 'two', target: 'with' },
      { test_id: 'two', target: 'without <b>', control: true },
    ])
    ;({ page, events } = await openReport(browser, reportFile(run)))
  })

  afterAll(() => browser?.close())

  it('is not pooled with the target in the headline', async () => {
    expect(await page.locator('h1').first().textContent()).toBe('2 tests × 2 targets')
    expect(events).toEqual([])
  })

  it('is marked beside its pass rate and in the tables', async () => {
    expect(await page.locator('.targets tbody th').allTextContents()).toEqual(['with', 'without <b> (control)'])
    expect(await page.locator('.targets .rate .value').allTextContents()).toEqual(['100 % [34–100]', '50 % [9–91]'])
    const names = await page.locator('.groups tbody th').allTextContents()
    expect(names.filter(name => name.endsWith(' (control)'))).toEqual(['suite without <b> (control)'])
  })
})
