import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { assay } from '../../support/in-process.ts'
import { EACH_VERDICT, suiteFolder } from '../../support/runs.ts'
import { eventually, type ObservedPage, openReport, reportFile, shownTests } from './report-page.ts'
import { richRun } from './report-runs.ts'

/** The address of the run in every page. */
const RUN = '#/run/20261115-093000-abcd'

describeWithChromium('the page of a report', () => {
  let browser: Browser
  let address: string
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    address = reportFile(richRun())
    // High enough for all rows: a table draws only those that are visible.
    ;({ page, events } = await openReport(browser, address, { viewport: { width: 1440, height: 4000 } }))
  })

  afterAll(() => browser?.close())

  /** Opens another view of the same page. */
  const look = async (view: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(view)}`)
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }
  const hash = (): Promise<string> => page.evaluate('decodeURIComponent(location.hash)')
  const count = (): Promise<string | null> => page.locator('.count').textContent()

  it('is written by the program and opens from the disk', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const { stderr } = await assay(['eval', '--quiet', '-o', 'out/report.html'], { cwd })
    expect(stderr).toContain('wrote out/report.html\n')
    const written: ObservedPage = await openReport(browser, pathToFileURL(join(cwd, 'out/report.html')).href)
    expect(await written.page.locator('h1').first().textContent()).toBe('1 of 4 tests passed')
    expect(await shownTests(written.page)).toEqual(['broken', 'bad', 'middling', 'good'])
    expect(written.events).toEqual([])
    await written.page.context().close()
  })

  it('sorts by every column in both directions, with unknown values last', async () => {
    await look('')
    for (const name of ['Verdict', 'Test', 'Suite', 'Target', 'Score', 'Trials', 'Time', 'Cost', 'Tokens']) {
      const head = page.locator('table.rows thead th', { hasText: name })
      const order = async () => {
        await head.getByRole('button').click()
        await eventually(() => page.locator('table.rows tbody tr').count()).toBe(42)
        return [await head.getAttribute('aria-sort'), (await shownTests(page))[0]]
      }
      if (name === 'Verdict') await look('sort=test')
      const first = await order()
      const second = await order()
      expect([name, first[0], second[0]]).toEqual([name, 'ascending', 'descending'])
      expect([name, first[1]]).not.toEqual([name, second[1]])
    }
    await look('sort=score')
    expect((await shownTests(page)).slice(-1)).toEqual(['no-answer'])
    await look('sort=score&order=descending')
    expect((await shownTests(page)).slice(-1)).toEqual(['no-answer'])
    await look('sort=test')
    expect((await shownTests(page)).slice(0, 6)).toEqual([
      ...['no-answer', 'question-0', 'question-0', 'question-1', 'question-1', 'question-2'],
    ])
  })

  it('searches names, tags, checks and reasons while typing', async () => {
    await look('')
    const search = page.getByRole('searchbox', { name: 'Search tests' })
    for (const [words, tests] of [
      ['REFUND', 1],
      ['is-json large', 10],
      ['contain word 14', 2],
      ['quick', 14],
      ['nothing like this', 0],
    ] as const) {
      await search.fill(words)
      await eventually(() => page.locator('table.rows tbody tr').count()).toBe(tests)
      expect(await hash()).toBe(`${RUN}?search=${words.replaceAll(' ', '+')}`)
      expect(await count()).toBe(`${tests} of 42 tests`)
    }
    expect(await page.locator('.empty').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    expect(await count()).toBe('42 tests')
    expect(await search.inputValue()).toBe('')
  })

  it('filters by verdict, suite, target, tag and check, all stored in the address', async () => {
    await look('')
    await page.getByRole('button', { name: /^fail/ }).click()
    await page.getByRole('button', { name: /^error/ }).click()
    expect([await hash(), await count()]).toEqual([`${RUN}?verdict=fail,error`, '10 of 42 tests'])
    await page.getByLabel('All targets').selectOption('small')
    await page.getByLabel('All suites').selectOption('billing')
    await page.getByLabel('All checks').selectOption('missed:is-json')
    const view = `${RUN}?verdict=fail,error&suite=billing&target=small&missed=is-json`
    expect([await hash(), await count()]).toEqual([view, '2 of 42 tests'])
    expect(await shownTests(page)).toEqual(['question-9', 'question-19'])
    await page.getByLabel('All checks').selectOption('has:says-it')
    await page.getByLabel('All suites').selectOption('')
    await page.getByLabel('All tags').selectOption('policy')
    expect(await hash()).toBe(`${RUN}?verdict=fail,error&target=small&tag=policy&check=says-it`)
    expect(await shownTests(page)).toEqual(['question-4', 'question-14'])

    const shared = await openReport(browser, `${address}${await hash()}`)
    expect(await shownTests(shared.page)).toEqual(['question-4', 'question-14'])
    expect(await shared.page.getByLabel('All tags').inputValue()).toBe('policy')
    expect(await shared.page.locator('.chip[aria-pressed=true]').allTextContents()).toEqual(['!error1', '✕fail9'])
    await shared.page.context().close()

    await look('verdict=flaky')
    expect(await shownTests(page)).toEqual(['refund-policy'])
  })

  it('supports back and forward, and restores the position', async () => {
    const { page } = await openReport(browser, address)
    const count = () => page.locator('.count').textContent()
    const scrolled = () => page.evaluate("document.querySelector('.scroller').scrollTop")
    await page.evaluate("location.hash = 'target=small'")
    await eventually(count).toBe('21 of 42 tests')
    await page.evaluate("document.querySelector('.scroller').scrollTop = 10000")
    await page.getByRole('link', { name: 'question-17' }).click()
    await eventually(() => page.locator('h1').textContent()).toBe('question-17')
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.goBack()
    await eventually(() => page.locator('h1').textContent()).toBe('22 tests on 2 targets (42 cases), 1 to 3 trials')
    await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('question-17')
    expect(await scrolled()).toBeGreaterThan(100)
    expect(await count()).toBe('21 of 42 tests')
    await page.goForward()
    await eventually(() => page.title()).toBe('question-17 · Assay report 20261115-093000-abcd')
    await page.goBack()
    await eventually(count).toBe('21 of 42 tests')
    await page.goBack()
    await eventually(count).toBe('42 tests')
    await page.context().close()
  })

  it('links each number to its tests', async () => {
    await look('')
    await page.locator('.legend a.borderline').first().click()
    await eventually(count).toBe('4 of 42 tests')
    expect(await hash()).toBe(`${RUN}?verdict=borderline&target=large`)
    await page.locator('.groups').getByRole('link', { name: 'billing' }).first().click()
    await eventually(count).toBe('11 of 42 tests')
    expect(await hash()).toBe(`${RUN}?suite=billing&target=small`)
    await page.locator('.reliability a').click()
    await eventually(count).toBe('1 of 42 tests')
    await page.locator('.tags-table').getByRole('link', { name: 'returns' }).click()
    await eventually(hash).toBe(`${RUN}?tag=returns`)
  })

  it('opens a test with the expected output and the answer side by side and differences marked', async () => {
    await look('test=refund-policy@large')
    const panels = await page.locator('.texts .panel').all()
    const [expected, answer] = await Promise.all(panels.map(panel => panel.boundingBox()))
    expect([expected?.y, expected?.width]).toEqual([answer?.y, answer?.width])
    expect(await page.locator('.texts del').allTextContents()).toEqual(['30'])
    expect(await page.locator('.texts ins').allTextContents()).toEqual(['14'])
    expect(await page.locator('.input').textContent()).toContain('How long can I return something?')
  })

  it('shows trials, checks, the score calculation and source locations', async () => {
    await look('test=refund-policy@large')
    const texts = (selector: string) => page.locator(selector).allInnerTexts()
    expect(await texts('.trials tbody tr:nth-child(1) td')).toEqual(['✓\npass', '✕\nfail', '✓\npass'])
    expect(await texts('.trials tbody tr:nth-child(3) td')).toEqual(['1.00', '0.25', '1.00'])
    expect(await texts('.check h3')).toEqual(['judged', 'tone', 'polite', 'short'])
    expect(await texts('.check .check h3')).toEqual(['polite', 'short'])
    expect(await texts('.check-score')).toEqual(['0.25 × 2', '0.5 × 1', '1 × 1', '0 × 1'])
    expect(await texts('.items li')).toEqual([
      '✕\n\nwithin 30 days not satisfied, weight 3, required: missed\n\nIt says 14.',
      '✓\n\nasks for the receipt satisfied\n\nIt does.',
    ])
    expect(await texts('.hits, .misses, .reasoning')).toEqual([
      'weighted_average: (1 × 1 + 0 × 1) / 2',
      '+\nsays please',
      '−\nhas 40 words, not 20',
    ])
    expect(await texts('.sum')).toEqual([
      'score = (0 × 3 + 1 × 1) / 4 = 0.25',
      'score = (0.25 × 2 + 0.5 × 1) / 3 = 0.33',
      'verdict: fail (a required check was missed: judged)',
    ])
    expect(await texts('.test-head .place code')).toEqual(['support/EVAL.yaml:12'])
    expect(await texts('.attempt dd .place code')).toEqual(['/workspaces/refund-policy-1'])
    await page.getByRole('link', { name: 'Trial 3' }).click()
    await eventually(() => texts('.check-score')).toEqual(['1 × 2', '0.5 × 1', '1 × 1', '0 × 1'])
    expect(await hash()).toBe(`${RUN}/test/refund-policy@large?trial=3`)
  })

  it('shows the transcript as a timeline', async () => {
    await look('test=refund-policy@large')
    const steps = page.locator('.time-line > li')
    expect(await steps.count()).toBe(5)
    expect(await page.locator('.time-line .tool').allTextContents()).toEqual(['Grep', 'Read', 'Write'])
    expect(await steps.nth(2).textContent()).toContain('480 ms')
    expect(await steps.nth(3).textContent()).toContain('not allowed')
    await steps.nth(2).locator('summary', { hasText: 'Output' }).click()
    await eventually(() => steps.nth(2).locator('pre').textContent()).toBe('Goods: 30 days')
  })

  it('shows the error instead of a score', async () => {
    await look('test=no-answer@small')
    expect(await page.locator('.error-panel').textContent()).toBe('Error in the answer: timeoutno answer within 60 s')
    expect(await page.locator('.sum').allTextContents()).toEqual(['no score: error in the answer'])
  })

  it('falls back to defaults for an invalid address', async () => {
    for (const route of ['/run/x/test/nobody?sort=constructor&verdict=&trial=-1&tag=none', 'test=nobody&tag=none']) {
      await look(route)
      await eventually(count).toBe('0 of 42 tests')
    }
    const ALL = [
      'sort=__proto__&page=99',
      '/',
      '/run',
      '/run/%ff/live',
      '/compare/a/b',
      '/runs',
      '/label',
      '/constructor',
    ]
    for (const route of ALL) {
      await look('verdict=error')
      await eventually(count).toBe('1 of 42 tests')
      await look(route)
      await eventually(count).toBe('42 tests')
    }
    expect(await page.locator('table.rows tbody tr').count()).toBe(42)
  })

  it('sends no requests and logs no errors', () => {
    expect(events).toEqual([])
  })

  it('links source locations if served over HTTP, without further requests', async () => {
    const { pathname } = new URL(address)
    const file = readFileSync(pathname)
    const context = await browser.newContext()
    const asked: string[] = []
    await context.route('**/*', route => {
      asked.push(route.request().url())
      return route.fulfill({ body: file, contentType: 'text/html' })
    })
    const served = await context.newPage()
    await served.goto('http://reports.test/main/report.html#test=refund-policy@large')
    expect(await served.locator('.test-head .place a').getAttribute('href')).toBe('./support/EVAL.yaml#L12')
    expect(asked).toEqual(['http://reports.test/main/report.html'])
    await context.close()
  })
})
