import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { runOf } from '../../support/recorded-run.ts'
import { openReport, reportFile } from './report-page.ts'

const agent_id = 'a1 </script><b>'
const MESSAGES = [
  { role: 'assistant', content: 'I delegate.', tool_calls: [{ tool: 'Agent' }] },
  { role: 'user', content: 'Look', agent_id },
  { role: 'assistant', content: 'Looking.', agent_id, tool_calls: [{ tool: 'Read', error: 'no such file' }] },
  { role: 'assistant', content: 'Done.' },
]

describeWithChromium('subagents on the page', () => {
  let browser: Browser
  let page: Page
  let events: string[]

  beforeAll(async () => {
    browser = await launchChromium()
    ;({ page, events } = await openReport(browser, reportFile(runOf([{ output_messages: MESSAGES }]))))
    await page.locator('table.rows tbody th a').first().click()
    await page.locator('.time-line').waitFor()
  })

  afterAll(() => browser?.close())

  it('are named at each message and call', async () => {
    const own = page.locator('.time-line > li:not(.subagent)')
    const theirs = page.locator('.time-line > li.subagent')
    expect(await own.count()).toBe(3)
    expect(await theirs.count()).toBe(3)
    for (const text of await theirs.allInnerTexts()) expect(text).toContain(`subagent ${agent_id}`)
    for (const text of await own.allInnerTexts()) expect(text).not.toContain('subagent')
  })

  it('are indented', async () => {
    const left = (selector: string) => page.locator(selector).first().boundingBox()
    const [own, theirs] = [await left('.time-line > li:not(.subagent)'), await left('.time-line > li.subagent')]
    expect((theirs?.x ?? 0) - (own?.x ?? 0)).toBeGreaterThanOrEqual(16)
  })

  it('are counted', async () => {
    const text = await page.locator('.transcript > p').first().textContent()
    expect(text).toBe('4 messages, 2 tool calls (1 by subagents)')
  })

  it('cause no requests or errors', () => {
    expect(events).toEqual([])
  })
})
