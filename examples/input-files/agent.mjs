import { json } from 'node:stream/consumers'

// With `stdin: json`, the files of a message are blocks with their path and text.
const { messages } = await json(process.stdin)
const blocks = messages.at(-1).content
const question = blocks.find(({ type }) => type === 'text').value
const tables = blocks.filter(({ type }) => type === 'file').map(({ text }) => monthsOf(text))
console.log(/percent/.test(question) ? growth(tables) : bestMonth(tables[0]))

function monthsOf(csv) {
  const [, ...rows] = csv.trim().split('\n')
  return rows.map(row => row.split(',')).map(([month, revenue]) => ({ month, revenue: Number(revenue) }))
}

function bestMonth(months) {
  const best = months.reduce((best, month) => (month.revenue > best.revenue ? month : best))
  return `${best.month}, with ${best.revenue}.`
}

function growth([before, after]) {
  const total = months => months.reduce((sum, { revenue }) => sum + revenue, 0)
  const percent = (total(after) / total(before) - 1) * 100
  return `It grew by ${Math.round(percent)} percent, from ${total(before)} to ${total(after)}.`
}
