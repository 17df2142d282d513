import { render } from 'preact'
import { App } from './app.tsx'
import { embeddedSource } from './embedded-source.ts'
import { makeTextsPrintable } from './parts/printable-text.ts'
import { serverSource } from './server-source.ts'
import { showStoredTheme } from './theme-switch.tsx'

makeTextsPrintable()
showStoredTheme()
history.scrollRestoration = 'manual'
const container = document.getElementById('page')
if (container) {
  container.replaceChildren()
  render(<App source={embeddedSource() ?? serverSource()} />, container)
}
