import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html } from '../../../src/report/html.ts'
import { armOf, armsRun, controlOf, passing } from '../../report/compare/arms.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { folderWith } from '../../support/program.ts'
import { openReport } from './report-page.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describeWithChromium('the page of a run with a control arm', () => {
  let browser: Browser
  const file = join(folderWith(), 'report.html')

  beforeAll(async () => {
    browser = await launchChromium()
    const run = armsRun([
      armOf('with-skill', passing(20, 20), { tags: ['billing'], cost_usd: 0.02 }),
      controlOf('without-skill', passing(10, 20), { tags: ['billing'], cost_usd: 0.01 }),
    ])
    writeFileSync(file, [...html.render(run, { by: 'tag' })].flatMap(({ text }) => [...text]).join(''))
  })
  afterAll(() => browser?.close())

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('answers whether it helps on a %s screen of %i pixels', async (colorScheme, width) => {
    const options = { viewport: { width, height: 800 }, colorScheme }
    const { page, events } = await openReport(browser, pathToFileURL(file).href, options, AXE)
    const arm = page.locator('section.arm')
    expect(await arm.locator('h2').textContent()).toBe('Does it help? with-skill against the control arm without-skill')
    expect(await arm.locator('strong').textContent()).toBe('better')
    expect(await arm.locator('tbody th').allTextContents()).toEqual(['pass rate', 'score', 'cost'])
    expect(await page.locator('table[aria-labelledby="slices"] tbody th').allTextContents()).toEqual([
      'billing',
      'billing',
    ])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string; impact: string }[] }
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
    expect(events).toEqual([])
    await page.context().close()
  })
})
