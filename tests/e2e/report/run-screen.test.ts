import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { openReport, reportFile } from './report-page.ts'
import { reportRun, richRun } from './report-runs.ts'

describeWithChromium('the screen of a run', () => {
  let browser: Browser
  let page: Page
  const address = reportFile(richRun())

  beforeAll(async () => {
    browser = await launchChromium()
    ;({ page } = await openReport(browser, address))
  })

  afterAll(() => browser?.close())

  it('has a headline for each target, and says what ran', async () => {
    expect(await page.locator('h1').allTextContents()).toEqual(['22 tests on 2 targets (42 cases), 1 to 3 trials'])
    expect(await page.locator('.run-head .facts span').allTextContents()).toEqual([
      'Run 20261115-093000-abcd',
      '2026-11-15 09:30 UTC',
      '2.3 s from first to last attempt',
      'commit 0123456',
      'cost $0.2560',
      '25,260 tokens',
      'assay 0.1.0',
    ])
    expect(await page.locator('.run-head code').allTextContents()).toEqual(["assay eval support 'a b'"])
    expect(await page.locator('.targets tbody tr').allInnerTexts()).toEqual([
      // Of 12⅔ of 21, where one test is two thirds; and of 12 of 21.
      'large\t60 % [39–79]\t\n✓\n12 pass\n≈\n4 borderline\n✕\n5 fail\n\t0.77 [0.61–0.88]\t$0.2360\t1.9 s',
      'small\t57 % [37–76]\t\n✓\n12 pass\n≈\n4 borderline\n✕\n4 fail\n!\n1 error\n\t0.78 [0.61–0.89] (20 of 21 tests)\t$0.0200\t660 ms',
    ])
    expect(await page.locator('.interval-bar').first().getAttribute('aria-label')).toBe(
      '60 % [39–79] on a line from 0 to 100 %',
    )
    expect(await page.title()).toBe('Assay report 20261115-093000-abcd')
  })

  it('shows distributions, reliability and tags of each target', async () => {
    const figures = page.locator('.figures')
    expect(await figures.locator('h2').allTextContents()).toEqual([
      ...['Scores', 'Response time', 'Cost', 'Cost against score', 'Reliability', 'Pass rate by tag', 'Suites'],
    ])
    expect(await figures.locator('.chart svg[role=img]').nth(1).getAttribute('aria-label')).toBe(
      'small, median 1.0: 4 from 0.2, 4 from 0.7, 12 from 0.9',
    )
    expect(await figures.locator('.reliability tbody tr').allInnerTexts()).toEqual([
      'large\t1 to 3\tunknown\tunknown\t1\t0 of 23',
      'small\t1\tunknown\tunknown\t0\t1 of 21',
    ])
    expect(await figures.locator('.tags-table tbody th').allTextContents()).toEqual([
      ...['policy', 'quick', 'returns', 'slow', 'without a tag'],
    ])
    expect(await figures.locator('.groups').last().locator('tbody th').allTextContents()).toEqual([
      ...['support large', 'billing small', 'support small', 'billing large'],
    ])
  })

  it('gives a target one colour in every table and chart', async () => {
    const colours = (await page.evaluate(`[...document.querySelectorAll('main [class*=target-]')].flatMap(element => {
      const name = (element.getAttribute('aria-label') ?? element.textContent).match(/^(large|small)/)?.[0]
      return name ? [name + ' ' + getComputedStyle(element).getPropertyValue('--target')] : []
    })`)) as string[]
    expect(colours.length).toBeGreaterThan(20)
    expect(new Set(colours).size).toBe(2)
  })

  it.each([
    [1280, 900],
    [390, 844],
  ])('shows failing tests with their reasons without scrolling at %i × %i', async (width, height) => {
    const small = await openReport(browser, address, { viewport: { width, height } })
    const reasons = small.page.locator('table.rows tbody tr:is(.fail, .error) .reason')
    const bottoms = await reasons.evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect().bottom))
    expect(bottoms.filter(bottom => bottom <= height).length).toBeGreaterThanOrEqual(width > 1000 ? 7 : 1)
    await small.page.context().close()
  })

  it('gives a long reason the room that it needs', async () => {
    const reason = 'It has to name the deadline. '.repeat(10).trim()
    const long = await openReport(browser, reportFile(reportRun([{ verdict: 'fail', score: 0, misses: [reason] }])))
    const cell = long.page.locator('table.rows .reason')
    expect(await cell.evaluate(element => element.scrollHeight <= element.clientHeight + 1)).toBe(true)
    expect((await cell.textContent())?.length).toBeGreaterThan(250)
    await long.page.context().close()
  })
})
