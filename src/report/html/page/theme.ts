import { el } from './element.ts'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const WORDS: Readonly<Record<Theme, string>> = { auto: 'Automatic', light: 'Light', dark: 'Dark' }
const PLACE = 'assay-theme'

/** A switch between light, dark, and what the system has. */
export function themeSwitch(): HTMLElement {
  let theme = kept()
  const button = el('button', { type: 'button', class: 'quiet', click: next })
  function show(): void {
    if (theme === 'auto') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    button.replaceChildren(el('span', { class: 'theme-mark', 'aria-hidden': 'true' }), `Theme: ${WORDS[theme]}`)
  }
  function next(): void {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    keep(theme)
    show()
  }
  show()
  return button
}

/** Some browsers keep nothing for pages from the disk. */
function kept(): Theme {
  try {
    const theme = localStorage.getItem(PLACE)
    return THEMES.find(known => known === theme) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(PLACE, theme)
  } catch {
    // Then it is kept until the page is closed.
  }
}
