import { showLabelPage } from './label-page.ts'

const container = document.getElementById('page')
if (container) showLabelPage(container)
