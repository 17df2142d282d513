import { render } from 'preact'
import { App } from './app.tsx'
import type { DataSource } from './data-source.ts'
import { embeddedSource } from './embedded-source.ts'
import { onlyLabels } from './only-labels.ts'
import { makeTextsPrintable } from './parts/printable-text.ts'
import { serverSource } from './server-source.ts'
import { showStoredTheme } from './theme-switch.tsx'

makeTextsPrintable()
showStoredTheme()
history.scrollRestoration = 'manual'
const container = document.getElementById('page')
if (container) {
  container.replaceChildren()
  render(<App source={dataSource()} />, container)
}

/** The data in the page, or those of the server that sent it. */
function dataSource(): DataSource {
  const { screens } = document.documentElement.dataset
  return embeddedSource() ?? (screens === 'label' ? onlyLabels() : serverSource())
}
