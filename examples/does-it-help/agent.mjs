// Writes an amount in euros; with a style guide, as the guide says.
import { readFileSync } from 'node:fs'

const [, amount = ''] = /([\d.]+)/.exec(readFileSync(0, 'utf8')) ?? []
const hasGuide = process.argv.includes('--guide')
const [whole = '', cents = ''] = (hasGuide ? Number(amount).toFixed(2) : amount).split('.')
const grouped = hasGuide ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole
console.log(`€${[grouped, cents].filter(Boolean).join('.')}`)
