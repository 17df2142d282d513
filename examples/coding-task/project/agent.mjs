// Stands in for a coding agent: it changes files in its current folder. With --cheat, it changes the tests instead.
import { readFileSync, writeFileSync } from 'node:fs'

const task = readFileSync(0, 'utf8')
const wantsCount = task.includes('itemCount')

function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

function work() {
  if (wantsCount) {
    const added = `
/** The number of items in a cart. */
export function itemCount(items) {
  return items.reduce((count, { quantity }) => count + quantity, 0)
}
`
    edit('src/cart.js', text => text + added)
  } else {
    edit('src/cart.js', text =>
      text.replace('{ price }', '{ price, quantity }').replace('sum + price', 'sum + price * quantity'),
    )
    writeFileSync('CHANGES.md', '- `total` multiplies by the quantity of an item.\n')
  }
}

function cheat() {
  const file = wantsCount ? 'test/count.test.js' : 'test/total.test.js'
  edit(file, text => text.replaceAll(/assert\.equal\(.*\)/g, 'assert.ok(true)'))
}

if (process.argv.includes('--cheat')) cheat()
else work()
console.log('Done: all tests pass.')
