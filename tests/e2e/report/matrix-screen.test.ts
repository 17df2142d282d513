import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { HOSTILE, hostileRun } from './hostile-report.ts'
import { eventually, openReport, reportFile } from './report-page.ts'
import { reportRun } from './report-runs.ts'

const TARGETS = ['large', 'small', 'tiny']

/** Of ten tests, `t3` differs in all targets, `t7` in one; `t9` has no result on `tiny`. */
function differingRun() {
  const verdictOf = (test: number, target: number): Result['verdict'] => {
    if (test === 3) return (['pass', 'borderline', 'error'] as const)[target] ?? 'pass'
    return test === 7 && target === 2 ? 'fail' : 'pass'
  }
  const scores = { pass: 1, borderline: 0.7, fail: 0.2, error: null }
  const results = Array.from({ length: 10 }, (_, test) =>
    TARGETS.flatMap((target, at) =>
      test === 9 && at === 2
        ? []
        : [1, 2, 3].map(trial => {
            const verdict = test === 3 && at === 1 && trial === 3 ? 'pass' : verdictOf(test, at)
            return { test_id: `t${test}`, target, trial, verdict, score: scores[verdict], misses: [`reason ${test}`] }
          }),
    ),
  )
  return reportRun(results.flat(), 29)
}

describeWithChromium('the matrix of tests and targets', () => {
  let browser: Browser
  let page: Page
  let events: string[]
  const address = reportFile(differingRun())

  beforeAll(async () => {
    browser = await launchChromium()
    ;({ page, events } = await openReport(browser, address))
    await page.getByRole('link', { name: 'Matrix' }).click()
    await page.locator('.grid').waitFor()
  })

  afterAll(() => browser?.close())

  const names = () => page.locator('.grid tbody th').evaluateAll(all => all.map(each => each.firstChild?.textContent))
  const labels = (row: number) =>
    page
      .locator('.grid tbody tr')
      .nth(row)
      .locator('td a')
      .evaluateAll(all => all.map(each => each.getAttribute('aria-label')))

  it('puts the tests on which targets disagree most first', async () => {
    expect((await names()).slice(0, 3)).toEqual(['t3', 't7', 't0'])
    expect(await labels(0)).toEqual([
      't3 on large: pass, score 1.00, 3 of 3 trials passed',
      't3 on small: pass, score 0.80, 1 of 3 trials passed',
      't3 on tiny: error, score –, 0 of 3 trials passed',
    ])
    expect(await page.locator('.count').textContent()).toBe('10 tests, 2 differ')
  })

  it('has a dot for each trial, full if it passed', async () => {
    const cell = page.locator('.grid tbody tr').nth(0).locator('td').nth(1)
    expect([await cell.locator('.dot').count(), await cell.locator('.dot.full').count()]).toEqual([3, 1])
  })

  it('shows a dash for a test that was not run on a target', async () => {
    await page.getByRole('searchbox').fill('t9')
    await eventually(names).toEqual(['t9'])
    expect(await page.locator('.grid tbody td').allTextContents()).toEqual(['✓1.00', '✓1.00', '–'])
    await page.getByRole('button', { name: 'Clear filters' }).click()
  })

  it('shows only tests that differ, in the address and with a key', async () => {
    await page.getByRole('button', { name: 'Only tests that differ' }).click()
    await eventually(names).toEqual(['t3', 't7'])
    expect(await page.evaluate('location.hash')).toBe('#/run/20261115-093000-abcd/matrix?differs=1')
    await page.locator('h1').focus()
    await page.keyboard.press('d')
    await eventually(async () => (await names()).length).toBe(10)
  })

  it('sorts by name and by the score of a target', async () => {
    const sort = (name: string) => page.locator('.grid thead').getByRole('button', { name }).click()
    await sort('tiny')
    await eventually(async () => (await names()).slice(0, 2)).toEqual(['t3', 't7'])
    await sort('Test')
    await eventually(async () => (await names()).slice(0, 3)).toEqual(['t0', 't1', 't2'])
    await sort('Test')
    await eventually(async () => (await names())[0]).toBe('t9')
    await sort('Test')
    await eventually(async () => (await names())[0]).toBe('t3')
  })

  it('opens a cell by mouse and by keyboard, and comes back to it', async () => {
    const title = () => page.locator('article h1, .matrix h1').textContent()
    await page.locator('.grid tbody tr').nth(1).locator('td a').nth(2).click()
    await eventually(() => page.evaluate('location.hash')).toBe('#/run/20261115-093000-abcd/test/t7@tiny')
    await page.goBack()
    await eventually(title).toBe('Tests × targets')
    await page.keyboard.press('k')
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await eventually(() => page.evaluate('location.hash')).toBe('#/run/20261115-093000-abcd/test/t3@small')
    await page.goBack()
    await eventually(title).toBe('Tests × targets')
    expect(events).toEqual([])
  })

  it('shows hostile texts as texts', async () => {
    const opened = await openReport(browser, `${reportFile(hostileRun())}#/run/x/matrix`)
    expect(await opened.page.locator('.grid tbody tr').count()).toBe(HOSTILE.length)
    expect(await opened.page.locator('main :is(img, iframe, script, style, base)').count()).toBe(0)
    expect(await opened.page.evaluate('window.ran')).toBeUndefined()
    expect(await opened.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(opened.events).toEqual([])
    await opened.page.context().close()
  })
})
