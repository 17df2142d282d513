import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { openReport, reportFile } from './report-page.ts'
import { largeRun } from './report-runs.ts'

describeWithChromium('the page of a large report', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('filters and opens 10,000 tests in at most 3 times the CPU time of 100', async () => {
    const VIEWS = ['#verdict=fail', '#search=test-1', '#tag=tag-3', '#test=test-7@large']
    const pages = [100, 10_000].map(tests => openReport(browser, reportFile(largeRun(tests))))
    const [few, many] = await Promise.all(pages)
    const least: number[][] = []
    for (const watched of [few, many]) least.push(await leastCpuTimes(watched?.page as Page, VIEWS))
    const ratios = VIEWS.map((view, index) => ({ view, ratio: (least[1]?.[index] ?? 1) / (least[0]?.[index] ?? 0) }))
    expect(ratios.filter(({ ratio }) => !(ratio <= 3))).toEqual([])
    expect(await many?.page.locator('.count').textContent()).toBe('10,000 tests')
    expect([few?.events, many?.events]).toEqual([[], []])
    for (const watched of [few, many]) await watched?.page.context().close()
  })
})

/** Least CPU time from the whole list to each view, including layout. */
async function leastCpuTimes(page: Page, views: readonly string[]): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuTime = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const least: number[] = []
  for (const view of views) {
    const times: number[] = []
    for (let time = 0; time < 8; time++) {
      await page.evaluate(`(${GO})('#')`)
      const before = await cpuTime()
      await page.evaluate(`(${GO})(${JSON.stringify(view)})`)
      times.push((await cpuTime()) - before)
    }
    least.push(Math.min(...times))
  }
  await page.evaluate(`(${GO})('#')`)
  return least
}

/** Rendering ends with the microtasks. */
const GO = `async to => {
  history.pushState(null, '', to)
  dispatchEvent(new Event('popstate'))
  for (let turn = 0; turn < 10; turn++) await null
  return document.body.offsetHeight
}`
