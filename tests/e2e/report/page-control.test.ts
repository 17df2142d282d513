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

  it('is counted apart in the headline', async () => {
    expect(await page.locator('h1').first().textContent()).toBe(
      '2 tests × 2 targets: 2 of 2 tests passed; control arm: 1 of 2 tests passed',
    )
    expect(events).toEqual([])
  })

  it('is marked beside its pass rate and in the tables', async () => {
    const rates = await page.locator('.card.rate p.value').allTextContents()
    expect(rates.map(text => text.replace(/:.*/, ''))).toEqual(['with', 'without <b> (control)'])
    const names = await page.locator('.groups tbody th a').allTextContents()
    expect(names.filter(name => name.endsWith(' (control)'))).toEqual([
      'without <b> (control)',
      'suite on without <b> (control)',
    ])
  })
})
