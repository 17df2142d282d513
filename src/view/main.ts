import { readData, rowsOf } from './rows.ts'
import { showPage } from './show-page.ts'

const data = readData()
const container = document.getElementById('page')
if (container) showPage(container, data, rowsOf(data))
