import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { runOf } from '../../support/recorded-run.ts'
import { openReport, reportFile } from './report-page.ts'

const hash = 'a'.repeat(64)
const HOSTILE = '</script><img src=x onerror=alert(1)>'
const LONG = `@@ -0,0 +1,1000 @@\n${'+line\n'.repeat(1000)}`
const CHANGES = [
  { path: HOSTILE, state: 'created', after: { size: 9, hash }, diff: `@@ -0,0 +1 @@\n+${HOSTILE}\n` },
  { path: 'gone.txt', state: 'deleted', before: { size: 2, hash }, diff: '@@ -1 +0,0 @@\n-a\n' },
  { path: 'long.txt', state: 'created', after: { size: 5000, hash }, diff: LONG },
  { path: 'picture.png', state: 'modified', before: { size: 1, hash }, after: { size: 3, hash }, diff_cut: 'binary' },
] as const

describeWithChromium('the changed files on the page', () => {
  let browser: Browser
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    ;({ page, events } = await openReport(browser, reportFile(runOf([{ changes: [...CHANGES] }]))))
    await page.locator('table.rows tbody th a').first().click()
    await page.locator('.changed-files').waitFor()
  })

  afterAll(() => browser?.close())

  it('are counted and named with their state', async () => {
    expect(await page.locator('.changes > p').first().textContent()).toBe('4 files: 2 created, 1 modified, 1 deleted')
    expect(await page.locator('.change-state').allInnerTexts()).toEqual(CHANGES.map(({ state }) => state))
    expect(await page.locator('.change-head code').allInnerTexts()).toEqual(CHANGES.map(({ path }) => path))
  })

  it('show short diffs, and long ones on demand', async () => {
    const [first, second, third] = [0, 1, 2].map(index => page.locator('.changed-file').nth(index).locator('pre.diff'))
    expect(await first?.textContent()).toContain(`+${HOSTILE}`)
    expect(await second?.textContent()).toContain('-a')
    expect(await third?.isVisible()).toBe(false)
    await page.getByText('Diff of 1001 lines').click()
    await page.getByRole('button', { name: /^Show all/ }).click()
    expect((await third?.textContent())?.match(/\+line/g)).toHaveLength(1000)
  })

  it('say why there is no diff', async () => {
    expect(await page.locator('.changed-file').last().textContent()).toMatch(/binary|not text/)
  })

  it('cause no requests or errors', () => {
    expect(events).toEqual([])
  })
})
