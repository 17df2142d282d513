import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { checkResult, runOf, trialsOf } from '../../support/recorded-run.ts'
import { seriousViolations } from '../report/axe.ts'
import { HOSTILE, hostileRun } from '../report/hostile-report.ts'
import { eventually, openReport, reportFile } from '../report/report-page.ts'
import { startViewServer } from './scripted-server.ts'
import { expectFit, openView, runAnswers, shownText, WIDTHS } from './view-page.ts'

const HASH = 'a'.repeat(64)
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MARKDOWN = `# Refunds

Return goods **within 30 days** to [the shop](https://shop.test/returns) or [run](javascript:window.ran=1).

- with the receipt
- <img src=x onerror="window.ran=2"><script>window.ran=3</script>

![track](https://evil.test/pixel.png)

| a | b |
|---|---|
| 1 | \`code\` |
`

const judged = checkResult({
  name: 'panel',
  type: 'llm_judge',
  text: 'Names the days',
  score: 0.5,
  passed: false,
  reasoning: 'Two of three judges say no.',
  votes: [
    { judge: 'a', satisfied: true, reasoning: 'It does.' },
    { judge: 'b', satisfied: false, reasoning: 'It rambles.' },
  ],
  pair: { against: 'target old', answer_first: 'answer', answer_second: 'other' },
})

/** A test with every part of the screen on three targets, and neighbours. */
const RESULTS: Partial<Result>[] = [
  { test_id: 'first', target: 'large', suite: 'support' },
  ...trialsOf('refund', [1, 0.25, null], {
    suite: 'support',
    target: 'large',
    evaluator_results: [judged],
    expected_output: 'Within 30 days, with the receipt.',
    answer: 'Within 14 days, with the receipt.',
  }),
  { test_id: 'refund', target: 'small', suite: 'support', verdict: 'fail', score: 0, answer: MARKDOWN },
  {
    test_id: 'picture',
    target: 'large',
    suite: 'support',
    input: [
      {
        role: 'user',
        content: [
          { type: 'text', value: 'What is this?' },
          { type: 'image', value: 'cat.png', sha256: HASH },
          { type: 'image', value: 'gone.png', sha256: 'b'.repeat(64) },
        ],
      },
    ],
    output_messages: [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A cat, I think.' },
          { type: 'image', source: { media_type: 'image/png', data: PNG.toString('base64') } },
          { type: 'text', text: 'A cat.' },
        ],
      },
    ],
  },
]

describeWithChromium('the screen of a test', () => {
  let browser: Browser
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    ;({ page, events } = await openReport(browser, reportFile(runOf(RESULTS))))
  })
  afterAll(() => browser?.close())

  const open = async (test: string, trial = '') => {
    await page.evaluate(`location.hash = ${JSON.stringify(`/run/report/test/${test}${trial}`)}`)
    await eventually(() => page.locator('article h1').textContent()).toBe(test.replace(/@.*/, ''))
  }

  it('shows checks first, then the answer beside what is expected, with differences', async () => {
    await open('refund@large', '?trial=2')
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
    const [checks, answer, input] = [await top('.checks'), await top('.answer-texts'), await top('.input')]
    expect([checks < answer, answer < input]).toEqual([true, true])
    const panels = await Promise.all((await page.locator('.texts .panel').all()).map(panel => panel.boundingBox()))
    expect([panels[0]?.y, panels[0]?.width]).toEqual([panels[1]?.y, panels[1]?.width])
    expect(await page.locator('.texts del').allTextContents()).toEqual(['30'])
    expect(await page.locator('.texts ins').allTextContents()).toEqual(['14'])
  })

  it('shows trials in equal columns, with verdicts, scores, answers and what was missed', async () => {
    await open('refund@large', '?trial=2')
    const row = (title: string) =>
      page.locator('.trials tbody tr', { has: page.locator(`th:text-is("${title}")`) }).locator('td')
    expect(await row('Verdict').allInnerTexts()).toEqual(['✓\npass', '✕\nfail', '!\nerror'])
    expect(await row('Score').allInnerTexts()).toEqual(['1.00', '0.25', '–'])
    expect((await row('Missed').allInnerTexts())[2]).toBe('timeout: took too long')
    const widths = await Promise.all((await row('Verdict').all()).map(async cell => (await cell.boundingBox())?.width))
    expect(new Set(widths.map(width => Math.round(width ?? 0))).size).toBe(1)
    await page.getByRole('link', { name: 'Trial 3' }).click()
    await eventually(() => page.locator('.error-panel h2').textContent()).toBe('Error in the answer: timeout')
  })

  it('shows reasons, votes that differ, and both orders of a pair', async () => {
    await open('refund@large', '?trial=2')
    expect(await shownText(page.locator('.reasoning'))).toBe('Two of three judges say no.')
    expect(await page.locator('.votes').getAttribute('open')).toBe('')
    expect(await page.locator('.votes li').allInnerTexts()).toEqual([
      'a: satisfied — It does.',
      'b: not satisfied — It rambles.',
    ])
    expect(await shownText(page.locator('.pair'))).toContain('Against target old: a tie, because the orders disagree')
  })

  it('has the other targets one click away', async () => {
    await open('refund@large')
    const targets = page.getByRole('navigation', { name: 'Targets' }).getByRole('link')
    expect(await targets.allInnerTexts()).toEqual([
      expect.stringMatching(/large[\s\S]*error[\s\S]*1 of 3 passed/),
      expect.stringMatching(/small[\s\S]*fail[\s\S]*0\.00/),
    ])
    await targets.nth(1).click()
    await eventually(() => page.evaluate('decodeURIComponent(location.hash)')).toContain('refund@small')
  })

  it('goes to the next and previous test by key, and back to the list', async () => {
    await open('refund@large')
    const position = () => page.locator('.way .faint').textContent()
    const start = await position()
    await page.keyboard.press('j')
    await eventually(position).not.toBe(start)
    await page.keyboard.press('k')
    await eventually(position).toBe(start)
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('article.test').count()).toBe(0)
  })

  it('shows Markdown as elements: links to the web only, no images, HTML as text', async () => {
    await open('refund@small')
    expect(await page.getByRole('button', { name: 'Markdown' }).getAttribute('aria-pressed')).toBe('true')
    const answer = page.locator('.texts .panel').last()
    expect(await shownText(answer.locator('.heading'))).toBe('Refunds')
    expect(await answer.locator('strong').allInnerTexts()).toEqual(['Refunds', 'within 30 days'])
    const links = await answer.locator('a').all()
    expect(await Promise.all(links.map(link => link.getAttribute('href')))).toEqual(['https://shop.test/returns'])
    expect(await links[0]?.getAttribute('rel')).toBe('noreferrer noopener')
    expect(await answer.locator('img, script').count()).toBe(0)
    const text = await shownText(answer)
    for (const part of [
      'run (javascript:window.ran=1)',
      '<img src=x onerror=',
      'image “track” (https://evil.test/pixel.png)',
    ])
      expect(text).toContain(part)
    expect(await answer.locator('td').allInnerTexts()).toEqual(['1', 'code'])
    await page.getByRole('button', { name: 'Text' }).click()
    await eventually(() => answer.locator('pre').first().textContent()).toBe(MARKDOWN)
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  it('copies the command that runs the test again', async () => {
    await open('refund@large')
    expect(await page.locator('.command code').textContent()).toBe('assay eval --test-id refund --target large')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the command that runs this test again' }).click()
    await eventually(() => page.locator('.command [role=status]').textContent()).toMatch(/^(copied|copying is not)/)
  })

  it('folds thinking, and shows images of messages', async () => {
    await open('picture@large')
    const thinking = page.locator('.thinking')
    expect(await thinking.getAttribute('open')).toBeNull()
    await thinking.locator('summary').click()
    expect(await shownText(thinking.locator('pre'))).toBe('A cat, I think.')
    expect(await page.evaluate("document.querySelector('.transcript img').naturalWidth")).toBe(1)
    expect(await shownText(page.locator('.input'))).toContain('Not shown: it is not part of the report')
  })

  it('makes no requests and has no errors', () => {
    expect(events).toEqual([])
  })

  it('folds an answer of 200 KB at a height, as text and as Markdown', async () => {
    const answer = `${'A **word**, and another.\n\n'.repeat(8_000)}`
    const huge = await openReport(browser, `${reportFile(runOf([{ test_id: 'long', answer }]))}#test=long@default`)
    const panel = huge.page.locator('.texts .panel')
    const height = async () => (await panel.boundingBox())?.height ?? 0
    expect(await height()).toBeLessThan(600)
    expect(await panel.locator('.markdown strong').count()).toBeGreaterThan(10)
    await panel.getByRole('button', { name: 'Show all 208,000 characters of the answer' }).click()
    await eventually(height).toBeGreaterThan(10_000)
    await panel.getByRole('button', { name: 'Show less' }).click()
    await eventually(height).toBeLessThan(600)
    await huge.page.getByRole('button', { name: 'Text', exact: true }).click()
    await eventually(() => panel.locator('pre').count()).toBe(1)
    expect(huge.events).toEqual([])
    await huge.page.context().close()
  })

  it('never executes a hostile record, as text and as Markdown', async () => {
    const hostile = await openReport(browser, reportFile(hostileRun()))
    for (const [index, text] of HOSTILE.entries()) {
      await hostile.page.evaluate(`location.hash = '/run/report/test/~${index}'`)
      await eventually(() => hostile.page.locator('article h1').count()).toBe(1)
      await hostile.page.getByRole('button', { name: 'Markdown' }).click()
      expect(await hostile.page.locator('article :is(img, script, iframe, style, base)').count()).toBe(0)
      const hrefs = await hostile.page.evaluate(
        "[...document.links].map(link => link.getAttribute('href')).filter(href => !/^(#|https?:|mailto:)/.test(href))",
      )
      expect([text, hrefs]).toEqual([text, []])
    }
    expect(await hostile.page.evaluate('window.ran')).toBeUndefined()
    expect(hostile.events).toEqual([])
    await hostile.page.context().close()
  })

  describe('from a server', () => {
    const history = (runs: number) => ({
      runs: Array.from({ length: runs }, (_, index) => ({
        run: index === runs - 1 ? 'R1' : `2026111${index}-090000-aaaa`,
        started: `2026-11-1${index}T09:00:00.000Z`,
        label: index === 1 ? 'nightly <b>' : undefined,
        commit: 'abcdef123456',
        index: 1,
        verdict: index % 2 === 0 ? 'pass' : 'fail',
        score: index % 2 === 0 ? 1 : 0.25,
        attempts: 3,
        passed: 2,
        is_changed: index === 2,
      })),
    })

    it('shows the history of the test, with links to other runs', async () => {
      const { address } = await startViewServer({
        ...runAnswers('R1', RESULTS),
        'api/runs/R1/tests/1/history': history(4),
      })
      const served = await openView(browser, `${address}#/run/R1/test/refund@large`)
      const rows = served.page.locator('.history-table tbody tr')
      await eventually(() => rows.count()).toBe(4)
      expect(await shownText(rows.first().locator('th'))).toContain('this run')
      expect(await shownText(rows.nth(1).locator('th'))).toContain('test changed')
      expect(await rows.nth(2).locator('a').getAttribute('href')).toBe('#/run/20261111-090000-aaaa/test/~1')
      expect(await served.page.locator('.history-chart').getAttribute('aria-label')).toBe(
        'Score over 4 runs: 2 pass, 2 fail',
      )
      expect(served.events).toEqual([])
      await served.page.context().close()
    })

    it('shows image files of the server, and says which it does not have', async () => {
      const { address } = await startViewServer({
        ...runAnswers('R1', RESULTS),
        [`api/runs/R1/tests/3/images/${HASH}`]: PNG,
      })
      const served = await openView(browser, `${address}#/run/R1/test/picture@large`)
      const image = served.page.locator('.input img')
      await eventually(() => image.count()).toBe(1)
      await eventually(() => served.page.evaluate("document.querySelector('.input img').naturalWidth")).toBe(1)
      expect(await image.getAttribute('alt')).toBe('cat.png')
      await eventually(() => shownText(served.page.locator('.input'))).toContain(
        'Not shown: the file is no longer there, or has changed',
      )
      await served.page.context().close()
    })

    it.each(WIDTHS)('%i pixels wide: fits, and axe finds nothing serious in either scheme', async width => {
      const { address } = await startViewServer({
        ...runAnswers('R1', RESULTS),
        'api/runs/R1/tests/1/history': history(8),
        [`api/runs/R1/tests/3/images/${HASH}`]: PNG,
      })
      for (const test of ['refund@large', 'refund@small', 'picture@large']) {
        const options = { viewport: { width, height: 844 } }
        const served = await openView(browser, `${address}#/run/R1/test/${test}`, options)
        await served.page.locator('.attempt').waitFor()
        await expectFit(served.page, width)
        expect(await seriousViolations(served.page)).toEqual([])
        await served.page.context().close()
      }
    })
  })
})
