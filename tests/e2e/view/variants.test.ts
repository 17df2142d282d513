import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startView } from '../../operations/view/view-server.ts'
import { describeWithChromium, launchChromium } from '../../support/external/chromium.ts'
import { assay } from '../../support/in-process.ts'
import { project, suite, tests, VARIANTS } from '../eval/variants/prompts.ts'
import { eventually } from '../report/report-page.ts'
import { openView, shownText } from './view-page.ts'

const RESPONSES = [
  { pattern: 'please', response: 'right' },
  { pattern: '.', response: 'wrong' },
]
const TARGETS = { targets: ['small', 'large'].map(name => ({ name, provider: 'mock', responses: RESPONSES })) }

describeWithChromium('variants in the view', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('are columns of the matrix, and compared by name with what was edited left out', async () => {
    const cwd = project({ tests: tests(6) }, { '.assay/targets.yaml': JSON.stringify(TARGETS), '.git/HEAD': '' })
    const runs = () => readdirSync(join(cwd, '.assay/runs')).filter(name => name !== 'latest')
    await assay(['eval', '--quiet'], { cwd })
    const [first = ''] = runs()
    const edited = VARIANTS.map(each => (each.name === 'loud' ? { ...each, input: 'please {{input}}' } : each))
    writeFileSync(join(cwd, 'EVAL.yaml'), suite({ tests: tests(6), variants: edited }))
    await assay(['eval', '--quiet'], { cwd })
    const second = runs().find(name => name !== first) ?? ''
    const { address } = await startView(cwd)

    const { page, events } = await openView(browser, `${address}#/run/${first}/matrix`)
    await page.locator('.grid').waitFor()
    expect((await page.locator('.grid thead th').allInnerTexts()).slice(1)).toEqual(
      ['small', 'large'].flatMap(target =>
        VARIANTS.map(({ name, control }) => `${target}/${name}${control ? ' (control)' : ''}`),
      ),
    )
    await page.goto(`${address}#/compare/${first}/${second}`)
    await eventually(() => shownText(page.locator('main'))).toContain('small/loud')
    const text = await shownText(page.locator('main'))
    const parts = text.split(`\n${second} `).map(part => part.replaceAll('\n', ' '))
    const loud = parts.filter(part => part.startsWith('small/loud against'))
    expect(loud).toEqual([
      expect.stringContaining('0 tests compared: 0 improved, 0 worse, 0 the same; left out: 6 changed'),
    ])
    expect(parts.filter(part => /^\w+\/polite against .*6 tests compared/.test(part))).toHaveLength(2)
    expect(events).toEqual([])
  })
})
