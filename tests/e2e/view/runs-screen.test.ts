import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { AXE, seriousViolations } from '../report/axe.ts'
import { HOSTILE } from '../report/hostile-report.ts'
import { eventually, openReport } from '../report/report-page.ts'
import { listedRun, manyRuns, targetWith } from './listed-runs.ts'
import { expectFit } from './view-page.ts'
import { serveView } from './view-server.ts'

describeWithChromium('the screen of runs', () => {
  let browser: Browser
  let page: Page
  let events: string[]
  let server: Awaited<ReturnType<typeof serveView>>

  beforeAll(async () => {
    browser = await launchChromium()
    server = await serveView({ 'api/runs': manyRuns() })
    ;({ page, events } = await openReport(browser, server.url))
    await page.locator('.runs-table').waitFor()
  })

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const rows = () => page.locator('.runs-table tbody tr')

  it('lists each run with its commit, its targets, its cost and its time', async () => {
    expect(await page.locator('h1').textContent()).toBe('Runs')
    expect(await page.locator('.count').textContent()).toBe('40')
    expect(await rows().nth(4).locator('th, td').allInnerTexts()).toEqual([
      '',
      '20261115-093036-abcd\n2026-11-15 09:30 UTC\nsupport · 40 tests',
      '3636363\nmain',
      'large\n95 % [76–100]\nsmall\n70 % [56–77]',
      '',
      '$0.4200',
      '1 min 1 s',
    ])
    expect(await page.getByText('and 4 older runs').count()).toBe(1)
  })

  it('shows what is special about a run', async () => {
    expect(await rows().nth(0).locator('a.live').getAttribute('href')).toBe('#/run/20261115-093040-abcd/live')
    expect(await rows().nth(1).locator('.badge').textContent()).toBe('↓worse')
    expect(await rows().nth(2).textContent()).toMatch(/nightly.*12 of 40 tests.*changed/)
    expect(await rows().nth(3).textContent()).toContain('results.jsonl cannot be read')
  })

  it('draws the last 30 pass rates of each target, without parts and runs that go on', async () => {
    const labels = await page.locator('.sparkline').evaluateAll(all => all.map(each => each.getAttribute('aria-label')))
    expect(labels).toHaveLength(2)
    expect(labels[0]).toMatch(/^large, pass rates of 30 runs, oldest first: 60 %, .*, 95 %, 99 %$/)
  })

  it('compares two selected runs, the older one first', async () => {
    await rows().nth(2).locator('input').check()
    expect(await page.locator('.compare-bar').textContent()).toBe('Select one more run to compare.')
    await rows().nth(5).locator('input').check()
    const link = page.getByRole('link', { name: 'Compare' })
    expect(await link.getAttribute('href')).toBe('#/compare/20261115-093035-abcd/20261115-093038-abcd')
    await rows().nth(6).locator('input').check()
    expect(await link.getAttribute('href')).toBe('#/compare/20261115-093034-abcd/20261115-093035-abcd')
    for (const row of [5, 6]) await rows().nth(row).locator('input').uncheck()
  })

  it('can be used with the keyboard alone', async () => {
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.reload()
    await page.locator('.runs-table').waitFor()
    await press('j', 'x', 'j', 'ArrowDown', 'x', 'c')
    await eventually(() => page.evaluate('location.hash')).toBe('#/compare/20261115-093038-abcd/20261115-093040-abcd')
    await page.goBack()
    await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Runs')
    await page.locator('.runs-table').waitFor()
    await press('j', 'j', 'k', 'Enter')
    await eventually(() => page.evaluate('location.hash')).toBe('#/run/20261115-093040-abcd')
    expect(await page.getByRole('alert').textContent()).toBe('nothing at api/runs/20261115-093040-abcd')
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.locator('.runs-table').waitFor()
    expect(events.filter(event => !/^request http:.*\/token\/api\/|status of 404/.test(event))).toEqual([])
  })

  it('shows hostile texts as texts', async () => {
    const runs = HOSTILE.map((text, index) => {
      const run = listedRun(index)
      const facts = run.facts && { ...run.facts, label: text, commit: text, branch: text, suites: [text] }
      const baseline = { verdict: 'stale' as const, text }
      return { ...run, id: `${index} ${text}`, facts, partial: text, baseline, targets: [targetWith(text, 0.5)] }
    })
    const hostile = await serveView({
      'api/runs': { runs: [...runs, listedRun(50, { problem: HOSTILE[0] })], more: 0 },
    })
    const opened = await openReport(browser, hostile.url)
    await opened.page.locator('.runs-table').waitFor()
    expect(await opened.page.evaluate('window.ran')).toBeUndefined()
    expect(await opened.page.locator('main :is(img, iframe, script, style, base)').count()).toBe(0)
    expect(
      await opened.page.evaluate("[...document.links].every(link => link.getAttribute('href').startsWith('#'))"),
    ).toBe(true)
    expect(await opened.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(opened.events.filter(event => !event.startsWith(`request ${hostile.url}`))).toEqual([])
    await opened.page.context().close()
    hostile.close()
  })

  it('says what to do without runs', async () => {
    const empty = await serveView({ 'api/runs': { runs: [], more: 0 } })
    const opened = await openReport(browser, empty.url)
    await eventually(() => opened.page.locator('.empty').textContent()).toBe('No runs yet. Start one with: assay eval')
    await opened.page.context().close()
    empty.close()
  })

  it.each([390, 1280])('%i pixels wide: fits, and axe finds nothing serious in either scheme', async width => {
    const options: BrowserContextOptions = { viewport: { width, height: 844 }, bypassCSP: true }
    const opened = await openReport(browser, server.url, options, AXE)
    await opened.page.locator('.runs-table').waitFor()
    await expectFit(opened.page, width)
    expect(await seriousViolations(opened.page)).toEqual([])
    await opened.page.context().close()
  })
})
