import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { runOf } from '../../support/recorded-run.ts'
import { openReport, reportFile } from './report-page.ts'

const HOSTILE = '</script><b id="evil">x'

describeWithChromium('marked tests, on the page', () => {
  let browser: Browser
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    const failed = { score: 0, verdict: 'fail' } as const
    const run = runOf(
      [
        { test_id: 'plain' },
        { test_id: 'known', expected_failure: 'wrong currency', ...failed },
        { test_id: 'mended', expected_failure: HOSTILE },
        { test_id: 'shaky', quarantine: { reason: HOSTILE, until: '2026-12-31' }, ...failed },
      ],
      {
        run_id: 'run',
        started: '2026-11-15T09:30:00.000Z',
        assay_version: '1.0.0',
        options: {},
        attempts: [],
        skipped: [{ suite: 'suite', file: 'EVAL.yaml', line: 9, test_id: 'off', tags: [], reason: HOSTILE }],
      },
    )
    ;({ page, events } = await openReport(browser, reportFile(run)))
  })

  afterAll(() => browser?.close())

  it('are counted apart from the figures, and listed with their reasons', async () => {
    expect(await page.locator('h1').first().textContent()).toBe('2 of 3 tests passed')
    const notes = await page.locator('.run-head .lines').first().locator('p').allTextContents()
    expect(notes).toEqual([
      '1 unexpected pass: remove `expected_failure`',
      '1 expected failure',
      '1 skipped',
      '1 quarantined (1 failed), until 2026-12-31',
    ])
    expect(await page.locator('.run-head details li').allTextContents()).toContain(
      `skipped off (EVAL.yaml:9): ${HOSTILE}`,
    )
    expect(await page.locator('#evil').count()).toBe(0)
    expect(events).toEqual([])
  })

  it('have a badge, come first where they fail the gate, and can be selected', async () => {
    const ids = () => page.locator('.rows tbody th a').allTextContents()
    expect(await ids()).toEqual(['mended', 'plain', 'known', 'shaky'])
    await page.locator('.chip.quarantined').click()
    expect(await ids()).toEqual(['shaky'])
    await page.locator('.chip.quarantined').click()
    await page.locator('.chip.fail').click()
    expect(await ids()).toEqual(['known'])
    expect(await page.locator('.rows .badge').allTextContents()).toEqual(['✕fail', 'expected failure'])
  })
})
