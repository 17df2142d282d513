import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { checkResult, runOf, trialsOf } from '../../support/recorded-run.ts'
import { openReport, reportFile } from './report-page.ts'

const SKILL = checkResult({
  name: 'skill',
  score: null,
  passed: false,
  required: 0.8,
  not_applicable: true,
  text: 'Agent uses the skill',
})

describeWithChromium('a check that does not apply, on the page', () => {
  let browser: Browser
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    const evaluator_results = [checkResult({ name: 'total' }), SKILL]
    const run = runOf(trialsOf('report', [1, 1], { target: 'without <skill>', evaluator_results }))
    const address = reportFile(run)
    ;({ page, events } = await openReport(browser, address))
    await page.locator('table.rows tbody th a').first().click()
    await page.locator('.checks').waitFor()
  })

  afterAll(() => browser?.close())

  it('is n/a, and names the target', async () => {
    const check = page.locator('.check', { hasText: 'Agent uses the skill' })
    expect(await check.getAttribute('class')).toBe('check off')
    expect(await check.locator('.check-score').textContent()).toBe('n/a')
    expect(await check.locator('.check-sign').getAttribute('aria-label')).toBe('n/a')
    expect(await check.textContent()).toContain('does not apply to without <skill>')
    expect(await check.textContent()).not.toMatch(/required|missed/)
  })

  it('is n/a in the table of trials', async () => {
    const row = page.locator('.trials tr', { hasText: 'skill' })
    expect(await row.locator('td').allInnerTexts()).toEqual(['n/a', 'n/a'])
  })

  it('is not among the checks to filter by, and is noted above the numbers', async () => {
    await page.keyboard.press('Escape')
    await page.locator('select[name=check]').waitFor()
    expect(await page.locator('option[value="missed:skill"], option[value="has:skill"]').count()).toBe(0)
    expect(await page.locator('.run-head .lines').first().textContent()).toContain(
      '1 test has checks that do not apply to without <skill>',
    )
    expect(events).toEqual([])
  })
})
