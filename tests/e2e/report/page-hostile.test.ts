import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../../../src/report/html.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { folderWith } from '../../support/program.ts'
import { AXE, seriousViolations } from './axe.ts'
import { HOSTILE, hostileRun, hugeRun } from './hostile-report.ts'
import { eventually, openReport, reportFile, reportText, shownTests } from './report-page.ts'
import { reportRun, richRun } from './report-runs.ts'

/** The pictures that `npm run screenshots` takes. */
const SCREENSHOTS = ['run', 'figures', 'matrix', 'runs'].flatMap(name => [`view-${name}`, `view-${name}-dark`])
const OPEN = '#test=refund-policy@large'

describe('the file of a report', () => {
  it('has the same bytes for the same records', () => {
    expect(reportText(richRun())).toBe(reportText(richRun()))
  })

  it('is at most 120 KB for an empty run, compressed', () => {
    expect(gzipSync(reportText(reportRun([]))).length).toBeLessThanOrEqual(120_000)
  })

  it('keeps the records inside its data blocks, which cannot end an element', () => {
    const text = reportText(hostileRun())
    const blocks = text.match(/<script type="application\/json" id="[\w-]+">[^<>&]*<\/script>/g) ?? []
    expect(blocks).toHaveLength(HOSTILE.length + 1)
    const rest = blocks.reduce((rest, block) => rest.replace(block, ''), text)
    expect(rest).not.toContain('window.ran')
    const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u
    expect(text.split('\n').filter(line => steering.test(line))).toEqual([])
  })

  it('has small screenshots in the guide', () => {
    for (const name of SCREENSHOTS) {
      const size = readFileSync(join(import.meta.dirname, `../../../docs/guide/images/${name}.png`)).length
      expect(size).toBeLessThan(150_000)
    }
  })

  it('is written in small chunks', () => {
    const [file] = [...html.render(richRun())]
    const lengths = [...(file?.text ?? [])].map(piece => piece.length)
    expect(lengths.length).toBeGreaterThan(42)
    expect(Math.max(...lengths)).toBeLessThan(100_000)
  })

  it('contains the most urgent of more than 10,000 tests', () => {
    const data = JSON.parse(/id="run">(.*)<\/script>/.exec(manyTests())?.[1] ?? '')
    expect([data.rows.length, data.left_out, data.all.tests]).toEqual([10_000, 10, 10_010])
    expect(data.rows.slice(-4).map(([id]: [string]) => id)).toEqual(['t9996', 't10007', 't10008', 't10009'])
  })
})

describeWithChromium('the page', () => {
  let browser: Browser
  const address = reportFile(richRun())

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser?.close())

  it('never executes text from agents in any view', async () => {
    const options = { viewport: { width: 1440, height: 3000 } }
    const { page, events } = await openReport(browser, reportFile(hostileRun()), options)
    expect(await page.locator('table.rows tbody tr').count()).toBe(HOSTILE.length)
    for (const index of HOSTILE.keys()) {
      await page.evaluate(`document.querySelectorAll('table.rows tbody th a')[${index}].click()`)
      await page.locator('article h1').waitFor()
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
      expect(
        await page.locator('article img, article iframe, article base, article script, article style').count(),
      ).toBe(0)
      expect(await page.evaluate("[...document.links].every(link => link.getAttribute('href').startsWith('#'))")).toBe(
        true,
      )
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      if (index === 0) expect(await page.locator('.texts ins').allTextContents()).toEqual([' and more'])
      await page.keyboard.press('Escape')
      await page.locator('table.rows').waitFor()
    }
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block')
    const shown = String(await page.evaluate('document.body.innerText'))
    expect(shown).toContain(HOSTILE[0])
    expect(shown).toContain('\ufffdtxt.exe\ufffd')
    expect(events).toEqual([])
    await page.context().close()
  })

  it('links nowhere else, even if served over HTTP', async () => {
    const text = reportText(hostileRun())
    const context = await browser.newContext()
    await context.route('**/*', route => route.fulfill({ body: text, contentType: 'text/html' }))
    const page = await context.newPage()
    await page.goto(
      'http://reports.test/a/report.html#test=5+javascript%3Awindow.ran%3D5%40javascript%3Awindow.ran%3D5',
    )
    const places = page.locator('.place a')
    expect(await places.first().getAttribute('href')).toBe('./javascript%3Awindow.ran%3D5#L1')
    expect(await page.evaluate("[...document.links].every(link => link.origin === 'http://reports.test')")).toBe(true)
    await context.close()
  })

  it('blocks injected code by its content security policy', async () => {
    const { page, events } = await openReport(browser, reportFile(hostileRun()))
    const stopped: string[] = []
    page.on('requestfailed', request => stopped.push(`${request.url()} ${request.failure()?.errorText}`))
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.test/x.png" onerror="window.ran=1">')`,
    )
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran=2' }))`,
    )
    await eventually(() => events.length).toBeGreaterThanOrEqual(3)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(stopped).toEqual(['https://evil.test/x.png csp'])
    expect(events.filter(line => !/Content Security Policy|^request https:.*x\.png$/.test(line))).toEqual([])
    await page.context().close()
  })

  it('shows a notice if the run has more tests than the page', async () => {
    const file = join(folderWith({ 'report.html': manyTests() }), 'report.html')
    const { page, events } = await openReport(browser, pathToFileURL(file).href)
    expect(await page.locator('.notice').textContent()).toMatch(
      /^This page has the 10,000 most urgent of 10,010 tests: /,
    )
    expect((await shownTests(page)).slice(0, 4)).toEqual(['t10007', 't10008', 't10009', 't0'])
    expect(await page.locator('table.rows').getAttribute('aria-rowcount')).toBe('10001')
    expect(await page.locator('table.rows tbody tr').count()).toBeLessThan(60)
    await page.locator('.scroller').evaluate(element => element.scrollTo(0, element.scrollHeight))
    await eventually(async () => (await shownTests(page)).at(-1)).toBe('t9996')
    expect(await page.locator('table.rows tbody tr').last().getAttribute('aria-rowindex')).toBe('10001')
    expect(events).toEqual([])
    await page.context().close()
  })

  it('shows the beginning of a huge answer, and all of it on click', async () => {
    const { page } = await openReport(browser, `${reportFile(hugeRun())}#test=long@default`)
    const answer = page.locator('.texts .panel').last()
    expect((await answer.locator('pre').textContent())?.length).toBeLessThan(10_000)
    await answer.getByRole('button', { name: 'Show all 2,100,000 characters' }).click()
    expect((await answer.locator('pre').textContent())?.length).toBe(2_100_000)
    await page.evaluate("location.hash = '/run/x/test/busy@default'")
    await eventually(() => page.locator('.time-line > li').count()).toBe(100)
    await page.getByRole('button', { name: 'Show 100 more of 4,901' }).click()
    expect(await page.locator('.time-line > li').count()).toBe(200)
    await page.context().close()
  })

  describe.each([390, 1440])('%i pixels wide', width => {
    it.each([
      ['run', ''],
      ['matrix', '#/run/x/matrix'],
      ['open test', OPEN],
    ])('%s: fits, and axe finds nothing serious in the light and the dark scheme', async (_, view) => {
      const options = { viewport: { width, height: 844 } }
      const { page, events } = await openReport(browser, `${address}${view}`, options, AXE)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        expect(ground).toBe(colorScheme === 'light' ? 'rgb(246, 247, 249)' : 'rgb(16, 19, 23)')
      }
      expect(await seriousViolations(page)).toEqual([])
      expect(events).toEqual([])
      await page.context().close()
    })
  })

  it('stores the theme, which overrides the system setting', async () => {
    const { page } = await openReport(browser, address, { colorScheme: 'dark' })
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const button = page.getByRole('button', { name: /^Theme/ })
    await button.click()
    expect([await button.textContent(), await ground()]).toEqual(['Theme: Light', 'rgb(246, 247, 249)'])
    await page.reload()
    expect([await button.textContent(), await ground()]).toEqual(['Theme: Light', 'rgb(246, 247, 249)'])
    await button.click()
    expect([await button.textContent(), await ground()]).toEqual(['Theme: Dark', 'rgb(16, 19, 23)'])
    await page.context().close()
  })

  it('can be used with the keyboard alone', async () => {
    const { page } = await openReport(browser, address)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focused = () =>
      page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
    await press('Tab')
    expect(await focused()).toBe('Skip to the content')
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().top >= 0')).toBe(true)
    await press('Enter')
    await eventually(focused).toBe('Tests')
    await press('/')
    await eventually(focused).toBe('Search tests')
    await page.keyboard.type('question')
    await press('Tab', 'Tab', 'Space')
    expect(await page.evaluate('location.hash')).toMatch(/\?verdict=fail&search=question$/)
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    // Four verdicts, four lists, the button that clears, nine columns.
    await press(...Array.from({ length: 3 + 4 + 1 + 9 + 1 }, () => 'Tab'))
    expect(await focused()).toBe('question-4')
    await press('ArrowDown', 'j', 'Enter')
    await eventually(focused).toBe('question-9')
    expect(await page.locator('article h1').textContent()).toBe('question-9')
    await press('Escape')
    await eventually(() => page.locator('article').count()).toBe(0)
    await eventually(focused).toBe('question-9')
    await press('End')
    expect(await page.evaluate('document.activeElement.closest("tr").ariaRowIndex')).toBe('9')
    await press('Home', 'k')
    expect(await page.evaluate('document.activeElement.closest("tr").ariaRowIndex')).toBe('2')
    await press('?')
    expect(await page.locator('dialog dt').allTextContents()).toEqual(['jk', 'Enter', 'Esc', '/', '?'])
    await press('Escape')
    await eventually(() => page.locator('dialog').isVisible()).toBe(false)
    await page.context().close()
  })
})

/** The report of 10,010 tests: the last three did not pass. */
function manyTests(): string {
  const verdicts = ['error', 'fail', 'borderline'] as const
  const scores = { error: null, fail: 0, borderline: 0.7, pass: 1 }
  const results = Array.from({ length: 10_010 }, (_, index) => {
    const verdict: keyof typeof scores = verdicts[index - 10_007] ?? 'pass'
    return { attempt_id: String(index), test_id: `t${index}`, verdict, score: scores[verdict] }
  })
  const run = reportRun(results)
  const all = [...run.results()]
  return reportText({ ...run, result: id => all[Number(id)] })
}
