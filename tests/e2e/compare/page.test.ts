import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { suiteFolder, wordTest } from '../../support/runs.ts'
import { openReport } from '../report/report-page.ts'
import { compare, runEval } from './agent-runs.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LONG = `a-very-long-name-${'x'.repeat(120)}`
const says = (name: string, response: string) => ({ name, provider: 'mock', responses: [{ pattern: '.', response }] })
const cwd = suiteFolder(
  {
    name: 'words',
    tests: Array.from({ length: 8 }, (_, index) =>
      wordTest(`${LONG}${index}`, 'Well?', 'yes', { metadata: { tags: [LONG] } }),
    ),
  },
  JSON.stringify({ targets: [says('good', 'yes'), says(LONG, 'no')] }),
)

describeWithChromium('the page of a comparison', () => {
  let browser: Browser
  let address = ''

  beforeAll(async () => {
    browser = await launchChromium()
    const run = await runEval(cwd, '--target', 'good', '--target', LONG)
    await compare(cwd, run, '--by', 'tag', '--fail-on-regression', '-o', 'page.html')
    address = pathToFileURL(join(cwd, 'page.html')).href
  })
  afterAll(() => browser?.close())

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is readable on a %s screen of %i pixels, without scripts and requests', async (colorScheme, width) => {
    const viewport = { width, height: 800 }
    const { page, events } = await openReport(browser, address, { viewport, colorScheme }, AXE)
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] }
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await page.locator('strong.worse').textContent()).toBe('worse')
    expect(events).toEqual([])
    await page.context().close()
  })
})
