import type { PageData } from '../report/html/page-data.ts'
import { el } from './element.ts'
import { formatTimestamp } from './format.ts'

/** The header with the facts of the run. */
export function pageHeader({ run }: PageData): HTMLElement {
  const facts = run
    ? [
        `Run ${run.run_id}`,
        formatTimestamp(run.started),
        ...(run.provenance === undefined ? [] : [linked(run.provenance, run.commit_url)]),
        ...(run.ci_url === undefined ? [] : [linked('CI job', run.ci_url)]),
        ...(run.shard === undefined ? [] : [`shard ${run.shard.index} of ${run.shard.of}`]),
        `assay ${run.assay_version}`,
      ]
    : []
  return el(
    'header',
    { class: 'top' },
    el('p', { class: 'brand' }, 'Assay', el('span', { class: 'faint' }, ' report')),
    el('p', { class: 'facts' }, ...facts.map(fact => el('span', {}, fact))),
    themeSwitch(),
  )
}

/** A text that links to a page, if there is one. */
function linked(text: string, url: string | undefined): HTMLElement | string {
  return url === undefined ? text : el('a', { href: url, rel: 'noreferrer' }, text)
}

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const THEME_NAMES: Readonly<Record<Theme, string>> = { auto: 'Automatic', light: 'Light', dark: 'Dark' }
const STORAGE_KEY = 'assay-theme'

/** Switches between the light, dark and system theme. */
function themeSwitch(): HTMLElement {
  let theme = storedTheme()
  const button = el('button', { type: 'button', class: 'quiet', click: next })
  function show(): void {
    if (theme === 'auto') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    button.replaceChildren(el('span', { class: 'theme-mark', 'aria-hidden': 'true' }), `Theme: ${THEME_NAMES[theme]}`)
  }
  function next(): void {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    storeTheme(theme)
    show()
  }
  show()
  return button
}

/** Some browsers have no storage for local files. */
function storedTheme(): Theme {
  try {
    const theme = localStorage.getItem(STORAGE_KEY)
    return THEMES.find(known => known === theme) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // The theme lasts until the page is closed.
  }
}
