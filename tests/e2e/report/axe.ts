import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The rules of accessibility, as a script for a page. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * The violations on a page with `AXE`: all rules in the light scheme, then those that look at colours in the dark one. The
 * page is light afterwards.
 */
export async function violations(page: Page): Promise<Violation[]> {
  const found = await violationsIn(page, 'light')
  found.push(...(await violationsIn(page, 'dark', COLOUR_RULES)))
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

async function violationsIn(page: Page, colorScheme: 'light' | 'dark', rules?: readonly string[]) {
  await page.emulateMedia({ colorScheme })
  const options = rules === undefined ? '' : JSON.stringify({ runOnly: rules })
  return ((await page.evaluate(`axe.run(${options})`)) as { violations: Violation[] }).violations
}

/** The serious and critical ones: the rule, and the elements. */
export async function seriousViolations(page: Page): Promise<[rule: string, elements: string[]][]> {
  const serious = (await violations(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
