import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { seriousViolations } from '../report/axe.ts'
import { HOSTILE } from '../report/hostile-report.ts'
import { eventually } from '../report/report-page.ts'
import { comparisonOf } from './comparison-answers.ts'
import { startViewServer } from './scripted-server.ts'
import { expectFit, openView, runAnswers, shownText, WIDTHS } from './view-page.ts'

/** Twenty tests, of which the first ones fail. */
function results(failing: number, more: Partial<Result> = {}): Partial<Result>[] {
  return Array.from({ length: 20 }, (_, index) => {
    const isFailing = index < failing
    return {
      test_id: `t${index}`,
      tags: [index < 10 ? 'policy' : 'tone'],
      verdict: isFailing ? 'fail' : 'pass',
      score: isFailing ? 0 : 1,
      misses: isFailing ? ['does not name 30 days'] : [],
      answer: isFailing ? 'Within **14** days.' : 'Within 30 days.',
      cost_usd: 0.01 + index / 1000 + (failing > 5 ? 0.005 : 0),
      duration_ms: 1000 + 50 * index,
      ...more,
    }
  })
}

const [BASE, WORSE] = [results(0), results(9)]

describeWithChromium('the screen of a comparison', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const serve = async (
    base: Partial<Result>[],
    other: Partial<Result>[],
    options?: Parameters<typeof comparisonOf>[2],
  ) => {
    const { data, text } = comparisonOf(base, other, options)
    const server = await startViewServer({
      'api/compare/base/other': data,
      ...runAnswers('base', base),
      ...runAnswers('other', other),
    })
    return { ...server, text, data }
  }

  it('says what assay compare says, with the differences as a plot for all tests and each slice', async () => {
    const { address, text, data } = await serve(BASE, WORSE)
    const { page, events } = await openView(browser, `${address}#/compare/base/other`)
    await eventually(() => shownText(page.locator('.compared-verdict .badge'))).toContain('worse')
    expect(text).toContain('\nworse')
    const rows = page.locator('.forest-row')
    expect(await rows.locator('.forest-name').allInnerTexts()).toEqual([
      'All tests 20 tests',
      'policy 10 tests',
      'tone 10 tests',
    ])
    expect(await shownText(rows.first().locator('.forest-text'))).toMatch(/^−0\.450 \[−0\.\d+ to −0\.\d+\]$/)
    expect(text).toContain(`difference ${await shownText(rows.first().locator('.forest-text'))}`)
    expect((await shownText(rows.nth(2))).trim()).toContain('inconclusive')
    for (const note of data.sections[0]?.notes ?? []) expect(await shownText(page.locator('.compared'))).toContain(note)
    expect(await page.locator('.metrics tbody th').allInnerTexts()).toEqual(['pass rate', 'score', 'cost', 'time'])
    expect(await shownText(page.locator('.metrics tbody tr', { hasText: 'cost' }))).toMatch(/\+\$0\.0050/)
    expect(events).toEqual([])
    await page.context().close()
  })

  it('shows both answers side by side when a test is opened, by mouse and by keyboard', async () => {
    const { address, asked } = await serve(BASE, WORSE)
    const { page } = await openView(browser, `${address}#/compare/base/other`)
    await eventually(() => page.locator('#changed-name').textContent()).toBe('9 tests with another result')
    expect(asked.filter(path => path.includes('/tests/'))).toEqual([])
    const [first, second] = [page.locator('.changed-test').nth(0), page.locator('.changed-test').nth(1)]
    await first.locator('summary').click()
    await eventually(() => first.locator('.panel pre').allInnerTexts()).toEqual([
      'Within 30 days.',
      'Within **14** days.',
    ])
    const boxes = await Promise.all((await first.locator('.panel').all()).map(panel => panel.boundingBox()))
    expect([boxes[0]?.y, boxes[0]?.width]).toEqual([boxes[1]?.y, boxes[1]?.width])
    expect(await shownText(first.locator('.missed').last())).toBe('does not name 30 days')
    await first.getByRole('button', { name: 'Markdown' }).click()
    await eventually(() => first.locator('strong').allInnerTexts()).toEqual(['14'])
    await second.locator('summary').focus()
    await page.keyboard.press('Enter')
    await eventually(() => second.locator('.panel pre').count()).toBe(2)
    await second.getByRole('link', { name: 'other' }).click()
    await eventually(() => page.locator('article.test h1').textContent()).toBe('t1')
    await page.context().close()
  })

  it('draws no conclusion from a run compared with itself', async () => {
    const { address, text } = await serve(BASE, BASE, { names: ['base', 'base'] as const })
    const { page } = await openView(browser, `${address}#/compare/base/other`)
    await eventually(() => shownText(page.locator('.compared-verdict'))).toContain('both sides are the same run')
    expect(text).toContain('both sides are the same run')
    expect(await page.locator('.forest').count()).toBe(0)
    await page.context().close()
  })

  it('is inconclusive if errors decide, and shows the difference without them', async () => {
    const error = { code: 'timeout', stage: 'answer', message: 'none' } as const
    const broken = BASE.map((result, index) =>
      index < 9 ? { ...result, verdict: 'error' as const, score: null, answer: null, error } : result,
    )
    const { address } = await serve(BASE, broken)
    const { page } = await openView(browser, `${address}#/compare/base/other`)
    await eventually(() => shownText(page.locator('.compared-verdict'))).toContain('the verdict depends on errors')
    expect(await shownText(page.locator('.compared-verdict .badge'))).toContain('inconclusive')
    expect(await page.locator('.forest-name').allInnerTexts()).toContain('Without tests that have errors 11 tests')
    await page.context().close()
  })

  it('shows that a run is not complete', async () => {
    const { address, data } = await serve(BASE, WORSE.slice(0, 15), { planned: 20 })
    const { page } = await openView(browser, `${address}#/compare/base/other`)
    expect(data.notes.length).toBeGreaterThan(0)
    await eventually(() => page.locator('.compare-notes li').allInnerTexts()).toEqual([...data.notes])
    await page.context().close()
  })

  it('says why there is no comparison', async () => {
    const { address } = await startViewServer({})
    const { page } = await openView(browser, `${address}#/compare/base/other`)
    await eventually(() => page.getByRole('alert').textContent()).toBe('The server refused the request (404).')
    await page.context().close()
  })

  it('never executes hostile texts', async () => {
    const hostile = (verdict: 'pass' | 'fail') =>
      HOSTILE.map(text => ({
        test_id: text,
        suite: text,
        tags: [text],
        answer: text,
        misses: [text],
        verdict,
        score: verdict === 'pass' ? 1 : 0,
      }))
    const { address } = await serve(hostile('pass'), hostile('fail'))
    const { page, events } = await openView(browser, `${address}#/compare/base/other`)
    await eventually(() => page.locator('.changed-test').count()).toBe(HOSTILE.length)
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    await eventually(() => page.locator('.both-answers .panel pre').count()).toBe(2 * HOSTILE.length)
    expect(await page.locator('main :is(img, script, iframe, style, base)').count()).toBe(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    await expectFit(page, 1440)
    expect(events).toEqual([])
    await page.context().close()
  })

  it.each(WIDTHS)('%i pixels wide: fits, and axe finds nothing serious in either scheme', async width => {
    const { address } = await serve(BASE, WORSE, { margin: 0.05 })
    const options = { viewport: { width, height: 844 } }
    const { page } = await openView(browser, `${address}#/compare/base/other`, options)
    await page.locator('.changed-test summary').first().click()
    await eventually(() => page.locator('.both-answers pre').count()).toBe(2)
    await expectFit(page, width)
    expect(await seriousViolations(page)).toEqual([])
    await page.context().close()
  })
})
