import { useState } from 'preact/hooks'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const THEME_NAMES: Readonly<Record<Theme, string>> = { auto: 'Automatic', light: 'Light', dark: 'Dark' }
const STORAGE_KEY = 'assay-theme'

/** Switches between the light, dark and system theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  const next = () => {
    const to = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    storeTheme(to)
    showTheme(to)
    setTheme(to)
  }
  return (
    <button type="button" class="quiet theme" onClick={next}>
      <span class="theme-mark" aria-hidden="true" />
      Theme: {THEME_NAMES[theme]}
    </button>
  )
}

/** Before the first paint, so that no other theme is seen. */
export function showStoredTheme(): void {
  showTheme(storedTheme())
}

function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
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
