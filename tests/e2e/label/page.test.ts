import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { checkResult } from '../../support/recorded-run.ts'
import { AXE, violations } from '../report/axe.ts'
import { expectFit } from '../view/view-page.ts'
import { HOSTILE_ANSWER, hostileResults, LONG_ANSWER, longResults } from './hostile-answers.ts'
import { judgedResult, judgedResults, judgedRun, labelsIn, labelText, SECRETS } from './judged-run.ts'
import { startLabelServer } from './label-server.ts'

interface OpenPage {
  readonly page: Page
  /** The bodies and headers of all responses. */
  readonly received: string[]
  /** Errors, messages, dialogs, and requests to other addresses. */
  readonly events: string[]
}

const heading = (page: Page) => page.locator('h1').textContent()
const eventually = <Value>(value: () => Promise<Value>) => expect.poll(value)

/** A document without its own code and styles, which contain nothing from the records. */
const withoutCode = (text: string) => text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')

/** Waits until an answer is shown for so long that a key counts. */
async function ready(page: Page, title: string): Promise<void> {
  await eventually(() => heading(page)).toBe(title)
  await page.waitForTimeout(250)
}

describeWithChromium('the page of assay label', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser?.close())

  async function open(address: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(0)
    const page = await context.newPage()
    await page.addInitScript({ content: AXE })
    const received: string[] = []
    const events: string[] = []
    page.on('response', async response => {
      received.push(`${response.url()} ${JSON.stringify(response.headers())}`)
      received.push(withoutCode(await response.text().catch(() => '')))
    })
    page.on('request', request => {
      if (!request.url().startsWith(address) && request.url() !== 'data:,') events.push(`request ${request.url()}`)
    })
    page.on('pageerror', error => events.push(`error ${error.message}`))
    page.on('console', message => events.push(`console ${message.text()}`))
    page.on('dialog', dialog => events.push(`dialog ${dialog.message()}`))
    await page.goto(address)
    return { page, received, events }
  }

  it('is blind: page, responses and labels name no target, verdict, score or run', async () => {
    const cwd = judgedRun(judgedResults(8))
    const { address } = await startLabelServer(cwd, ['--by', 'ada'])
    const { page, received, events } = await open(address)
    const seen: string[] = []
    for (let number = 1; number <= 8; number++) {
      await ready(page, `Answer ${number} of 8`)
      seen.push(withoutCode(await page.content()))
      await page.keyboard.press('pfu'[number % 3] ?? '')
    }
    await eventually(() => heading(page)).toBe('End of the sample')
    seen.push(withoutCode(await page.content()))
    const shown = seen.join('\n')
    for (let index = 0; index < 8; index++) expect(shown).toContain(`It is ${index}.`)
    for (const text of [shown, received.join('\n'), labelText(cwd)])
      for (const secret of SECRETS) expect(text).not.toContain(secret)
    expect(received.join('\n')).not.toMatch(/attempt_id|"a\d"|test-\d|verdict|score/)
    expect(labelsIn(cwd).map(({ label }) => label)).toEqual(
      'fupfupfu'.split('').map(key => ({ p: 'pass', f: 'fail', u: 'unsure' })[key]),
    )
    expect(events).toEqual([])
    await page.context().close()
  })

  it('labels by mouse, keeps notes, skips, and goes back to change a label', async () => {
    const cwd = judgedRun(judgedResults(3))
    const { address } = await startLabelServer(cwd, ['--by', 'ada'])
    const { page } = await open(address)
    await ready(page, 'Answer 1 of 3')
    await page.getByLabel('Note').fill('Wrong digit </script> \u202e')
    await page.getByRole('button', { name: 'Fail' }).click()
    await ready(page, 'Answer 2 of 3')
    expect(await page.getByLabel('Note').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Skip s', exact: true }).click()
    await ready(page, 'Answer 3 of 3')
    await page.keyboard.press('b')
    await page.waitForTimeout(100)
    await page.keyboard.press('b')
    await ready(page, 'Answer 1 of 3')
    expect(await page.getByLabel('Note').inputValue()).toBe('Wrong digit </script> \u202e')
    expect(await page.getByRole('button', { name: 'Fail' }).getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('p')
    await ready(page, 'Answer 2 of 3')
    expect(labelsIn(cwd).map(({ label, note }) => [label, note])).toEqual([
      ['fail', 'Wrong digit </script> \u202e'],
      ['pass', 'Wrong digit </script> \u202e'],
    ])
    expect(new Set(labelsIn(cwd).map(({ answer_sha256 }) => answer_sha256)).size).toBe(1)
    await page.context().close()
  })

  it('types a note with keys that would label, and writes it on Return where a label exists', async () => {
    const cwd = judgedRun(judgedResults(2))
    const { address } = await startLabelServer(cwd, ['--by', 'ada'])
    const { page } = await open(address)
    await ready(page, 'Answer 1 of 2')
    await page.keyboard.press('n')
    await page.keyboard.type('pfub')
    await page.keyboard.press('Enter')
    expect(await heading(page)).toBe('Answer 1 of 2')
    await page.keyboard.press('u')
    await ready(page, 'Answer 2 of 2')
    await page.keyboard.press('b')
    await ready(page, 'Answer 1 of 2')
    await page.keyboard.press('n')
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    await ready(page, 'Answer 2 of 2')
    expect(labelsIn(cwd).map(({ label, note }) => [label, note])).toEqual([
      ['unsure', 'pfub'],
      ['unsure', 'pfub!'],
    ])
    await page.context().close()
  })

  it('does not count a key that repeats', async () => {
    const cwd = judgedRun(judgedResults(6))
    const { address } = await startLabelServer(cwd, ['--by', 'ada'])
    const { page } = await open(address)
    await ready(page, 'Answer 1 of 6')
    await page.keyboard.down('p')
    for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('p')
    await page.keyboard.up('p')
    await ready(page, 'Answer 2 of 6')
    expect(labelsIn(cwd)).toHaveLength(1)
    await page.context().close()
  })

  it('starts again where the person stopped, and does not show the labels of others', async () => {
    const cwd = judgedRun(judgedResults(4))
    const first = await startLabelServer(cwd, ['--by', 'ada-1'])
    const { page } = await open(first.address)
    await ready(page, 'Answer 1 of 4')
    await page.getByLabel('Note').fill('ada-1 was here')
    await page.keyboard.press('Enter')
    await page.keyboard.press('p')
    await ready(page, 'Answer 2 of 4')
    await first.stop()
    await page.keyboard.press('p')
    await eventually(() => page.getByRole('alert').textContent()).toContain('The server does not answer.')
    expect(await heading(page)).toBe('Answer 2 of 4')
    expect(labelsIn(cwd)).toHaveLength(1)
    const again = await open((await startLabelServer(cwd, ['--by', 'ada-1'])).address)
    await ready(again.page, 'Answer 2 of 4')
    const other = await open((await startLabelServer(cwd, ['--by', 'ben'])).address)
    await ready(other.page, 'Answer 1 of 4')
    expect(await other.page.getByRole('button', { name: 'Pass' }).getAttribute('aria-pressed')).toBe('false')
    expect(`${await other.page.content()}${other.received.join('')}`).not.toContain('ada-1')
    for (const { page } of [again, other]) await page.context().close()
    await page.context().close()
  })

  it('never executes what an answer contains', async () => {
    const { address } = await startLabelServer(judgedRun(hostileResults()), ['--by', 'ada'])
    const { page, events } = await open(address)
    await ready(page, 'Answer 1 of 1')
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(await page.locator('main img, main script').count()).toBe(0)
    const shown = String(await page.locator('.answer pre').textContent())
    expect(shown).toContain('</script><img src=x')
    expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2066]/u)
    expect(shown.split('\n')).toHaveLength(HOSTILE_ANSWER.split('\n').length)
    expect(events).toEqual([])
    await page.context().close()
  })

  it('shows an answer of 200 KB, first its beginning', async () => {
    const { address } = await startLabelServer(judgedRun(longResults()), ['--by', 'ada'])
    const { page } = await open(address)
    await ready(page, 'Answer 1 of 1')
    const answer = page.locator('.answer')
    expect((await answer.locator('pre').textContent())?.length).toBeLessThan(10_000)
    await answer.getByRole('button', { name: /^Show all/ }).click()
    expect(await answer.locator('pre').textContent()).toBe(LONG_ANSWER)
    await page.context().close()
  })

  it('shows what an agent changed, and its tool calls if a check is about them', async () => {
    const call = { tool: 'Read', input: { path: 'a.txt' }, output: 'content', duration_ms: 77777 }
    const output_messages = [{ role: 'assistant', content: 'Done.', tool_calls: [call] }]
    const changes = [{ path: 'b.txt', state: 'created' as const, diff: '@@ -0,0 +1 @@\n+new line\n' }]
    const used = checkResult({ type: 'tool_used', text: 'Agent calls Read', score: 0.9876 })
    const { address } = await startLabelServer(
      judgedRun([judgedResult(0, { output_messages, changes, evaluator_results: [used] })]),
      ['--by', 'ada'],
    )
    const { page, received } = await open(address)
    await ready(page, 'Answer 1 of 1')
    expect(await page.locator('main').textContent()).toMatch(
      /created\s*b\.txt[\s\S]*\+new line[\s\S]*Read \{"path": "a\.txt"\}\s+content/,
    )
    for (const secret of SECRETS) expect(received.join('\n')).not.toContain(secret)
    await page.context().close()
    const plain = await startLabelServer(judgedRun([judgedResult(0, { output_messages })]), ['--by', 'ada'])
    expect(await (await fetch(`${plain.address}label/answers/1`)).text()).not.toContain('a.txt')
  })

  it.each([390, 1280])('fits %i pixels, and axe finds nothing in the light and the dark scheme', async width => {
    const { address } = await startLabelServer(judgedRun(judgedResults(4)), ['--by', 'ada'])
    const { page, events } = await open(address, { viewport: { width, height: 844 } })
    await ready(page, 'Answer 1 of 4')
    await page.keyboard.press('?')
    const check = async () => {
      await expectFit(page, width)
      expect((await violations(page)).map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    await check()
    for (let number = 1; number <= 4; number++) {
      await ready(page, `Answer ${number} of 4`)
      await page.keyboard.press('p')
    }
    await ready(page, 'End of the sample')
    await check()
    expect(events).toEqual([])
    await page.context().close()
  })

  it('runs only its own code', async () => {
    const { address } = await startLabelServer(judgedRun(judgedResults(2)), ['--by', 'ada'])
    const { page, events } = await open(address)
    await ready(page, 'Answer 1 of 2')
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran=2' }))`,
    )
    await page.evaluate("fetch('https://evil.test/').catch(() => {})")
    expect(await page.evaluate('window.ran')).toBeUndefined()
    await eventually(async () => events.length).toBeGreaterThanOrEqual(2)
    expect(events.filter(line => !/Content Security Policy|^request https:\/\/evil/.test(line))).toEqual([])
    await page.context().close()
  })

  it('writes nothing but labels', async () => {
    const cwd = judgedRun(judgedResults(2))
    const { address } = await startLabelServer(cwd, ['--by', 'ada'])
    const { origin } = new URL(address)
    const post = async (path: string, body: string) =>
      (await fetch(`${address}${path}`, { method: 'POST', headers: { origin }, body })).status
    expect(await post('label/answers/1', '{"label":"great"}')).toBe(400)
    expect(await post('label/answers/1', '{"label":"pass","by":"eve"}')).toBe(400)
    expect(await post('label/answers/1', `{"label":"pass","note":"${'x'.repeat(3000)}"}`)).toBe(400)
    expect(await post('label/answers/1', 'nonsense')).toBe(400)
    for (const path of [
      'label/answers/0',
      'label/answers/3',
      'label/answers',
      'label/answers/-1',
      'label/answers/1/..',
      'label/next',
      '',
    ])
      expect(await post(path, '{"label":"pass"}')).toBe(404)
    expect(() => labelText(cwd)).toThrow('ENOENT')
  })
})
