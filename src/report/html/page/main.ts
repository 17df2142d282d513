import { readData, rowsOf } from './rows.ts'
import { showPage } from './show-page.ts'

const data = readData()
const place = document.getElementById('page')
if (place) showPage(place, data, rowsOf(data))
