import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LiveStatus } from '../../../src/model/live-status.ts'
import type { LiveData } from '../../../src/report/html/view-data.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { seriousViolations } from '../report/axe.ts'
import { HOSTILE } from '../report/hostile-report.ts'
import { eventually } from '../report/report-page.ts'
import { startViewServer } from './scripted-server.ts'
import { expectFit, openView, runAnswers, shownText, WIDTHS } from './view-page.ts'

const RUN = '20261117-090000-abcd'

function status(done: number, more: Partial<LiveStatus> = {}): LiveStatus {
  return {
    updated: '2026-11-17T09:00:00.000Z',
    total: 40,
    done,
    elapsed_ms: 12_000,
    left_ms: 30_000,
    cost_usd: 0.4,
    budget_usd: 2,
    running: [{ name: 'refund on large', ms: 2300 }],
    waiting: [{ target: 'large', attempts: 12, ms: 4000, reason: 'rate limit of the service, 4 s left' }],
    evidence: [],
    ...more,
  }
}

function liveData(done: number, more: Partial<LiveData> = {}): LiveData {
  const fail = Math.min(2, done)
  return {
    is_live: true,
    status: status(done),
    latest_failures: [
      { index: 0, name: 'first', target: 'large', verdict: 'fail', reason: 'does not name 30 days' },
      { index: 1, name: 'second', target: 'large', verdict: 'error', reason: 'timeout: no answer within 60 s' },
    ].slice(0, fail) as LiveData['latest_failures'],
    counts: { pass: Math.max(0, done - fail), borderline: 0, fail: Math.min(1, fail), error: Math.max(0, fail - 1) },
    ...more,
  }
}

const RESULTS = Array.from({ length: 4 }, (_, index) => ({ test_id: `t${index}`, target: 'large' }))

describeWithChromium('the screen of a run that goes on', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('follows a run to its end: progress, time, costs, failures, what runs and waits, then the result', async () => {
    let data = liveData(10)
    const { address, asked } = await startViewServer({
      [`api/runs/${RUN}/live`]: () => data,
      ...runAnswers(RUN, RESULTS),
    })
    const { page, events } = await openView(browser, `${address}#/run/${RUN}/live`)
    const bar = page.getByRole('progressbar', { name: 'Attempts' })
    await eventually(() => bar.getAttribute('aria-valuetext')).toBe('10 of 40')
    expect(await page.locator('h1').textContent()).toBe('Running')
    expect(await shownText(page.locator('.live-figures'))).toMatch(
      /10 of 40[\s\S]*about 30\.0 s left[\s\S]*\$0\.4000 of \$2/,
    )
    expect(await page.locator('.live-failures li').allInnerTexts()).toEqual([
      expect.stringMatching(/error[\s\S]*second[\s\S]*timeout/),
      expect.stringMatching(/fail[\s\S]*first[\s\S]*30 days/),
    ])
    expect(await page.getByRole('link', { name: 'second' }).getAttribute('href')).toBe(`#/run/${RUN}/test/~1`)
    expect(await shownText(page.locator('.live-now'))).toMatch(/refund on large[\s\S]*large rate limit of the service/)
    data = liveData(25)
    await eventually(() => bar.getAttribute('aria-valuetext')).toBe('25 of 40')
    data = { ...liveData(40), is_live: false }
    await eventually(() => page.locator('h1').textContent()).toBe('Run ended')
    await eventually(() => shownText(page.locator('.run-end'))).toContain('Finished: every attempt has a result.')
    expect(await shownText(page.locator('.run-end'))).toMatch(/large[\s\S]*100 %/)
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    const polls = asked.filter(path => path.endsWith('/live')).length
    await page.waitForTimeout(2500)
    expect(asked.filter(path => path.endsWith('/live'))).toHaveLength(polls)
    expect(events).toEqual([])
    await page.context().close()
  })

  it('does not show a run that was killed as finished', async () => {
    const { address } = await startViewServer({
      [`api/runs/${RUN}/live`]: { ...liveData(10), is_live: false },
      ...runAnswers(RUN, RESULTS),
      [`api/runs/${RUN}`]: undefined,
    })
    const { page } = await openView(browser, `${address}#/run/${RUN}/live`)
    await eventually(() => shownText(page.locator('.run-end'))).toContain(
      'Not finished: 30 attempts of the plan have no result.',
    )
    expect(await shownText(page.locator('main'))).not.toContain('Finished')
    await page.context().close()
  })

  it('says that the server is lost, and continues when it is back', async () => {
    let isLost = false
    const { address } = await startViewServer({
      [`api/runs/${RUN}/live`]: (request: { readonly socket: { destroy(): void } }) => {
        if (isLost) request.socket.destroy()
        return liveData(10)
      },
    })
    const { page } = await openView(browser, `${address}#/run/${RUN}/live`)
    await eventually(() => page.locator('h1').textContent()).toBe('Running')
    isLost = true
    await eventually(() => page.getByRole('alert').textContent()).toContain('The server does not answer.')
    expect(await page.locator('h1').textContent()).toBe('Connection lost')
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    isLost = false
    await eventually(() => page.locator('h1').textContent()).toBe('Running')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  it('stops the run after a confirmation, by keyboard', async () => {
    const { address, asked } = await startViewServer({
      [`api/runs/${RUN}/live`]: liveData(10),
      [`api/runs/${RUN}/stop`]: {},
    })
    const { page } = await openView(browser, `${address}#/run/${RUN}/live`)
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    const stops = () => asked.filter(path => path.startsWith('POST'))
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await press('Stop')
    await press('Continue')
    expect(stops()).toEqual([])
    await press('Stop')
    await press('Stop the run')
    await eventually(() => shownText(page.locator('.stop'))).toBe('Stopping…')
    expect(stops()).toEqual([`POST api/runs/${RUN}/stop`])
    await page.context().close()
  })

  it('asks only while it is visible', async () => {
    const { address, asked } = await startViewServer({ [`api/runs/${RUN}/live`]: liveData(10) })
    const { page } = await openView(browser, `${address}#/run/${RUN}/live`)
    await eventually(() => asked.length).toBeGreaterThan(1)
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`)
    await hide(true)
    // A request that was under way may still arrive.
    await page.waitForTimeout(1500)
    const before = asked.length
    await page.waitForTimeout(2500)
    expect(asked).toHaveLength(before)
    await hide(false)
    await eventually(() => asked.length).toBeGreaterThan(before)
    await page.context().close()
  })

  it('never executes hostile texts', async () => {
    const data = liveData(20, {
      status: status(20, {
        running: HOSTILE.map(name => ({ name, ms: 1 })),
        waiting: HOSTILE.map(text => ({ target: text, attempts: 1, ms: 1, reason: text })),
        evidence: HOSTILE,
      }),
      latest_failures: HOSTILE.map((text, index) => ({
        index,
        name: text,
        target: text,
        verdict: 'fail',
        reason: text,
      })),
    })
    const { address } = await startViewServer({ [`api/runs/${RUN}/live`]: data })
    const { page, events } = await openView(browser, `${address}#/run/${RUN}/live`)
    await eventually(() => page.locator('.live-failures li').count()).toBe(HOSTILE.length)
    expect(await page.locator('main :is(img, script, iframe, style, base)').count()).toBe(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(await shownText(page.locator('main'))).toContain('\ufffdtxt.exe')
    await expectFit(page, 1440)
    expect(events).toEqual([])
    await page.context().close()
  })

  it.each(WIDTHS)('%i pixels wide: fits, and axe finds nothing serious in either scheme', async width => {
    const { address } = await startViewServer({ [`api/runs/${RUN}/live`]: liveData(10) })
    const options = { viewport: { width, height: 844 } }
    const { page } = await openView(browser, `${address}#/run/${RUN}/live`, options)
    await page.locator('.live-bar').waitFor()
    await expectFit(page, width)
    expect(await seriousViolations(page)).toEqual([])
    await page.context().close()
  })
})
