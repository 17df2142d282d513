import { json } from 'node:stream/consumers'

// Reads an invoice and prints its fields as JSON, in a fenced block after a sentence, as models often do.
const { messages } = await json(process.stdin)
const { text } = messages.at(-1).content.find(({ type }) => type === 'file')
const find = pattern => pattern.exec(text)?.[1].trim()

const invoice = {
  number: find(/Invoice no\. (\S+)/),
  date: find(/Date: (.+)/),
  customer: { name: find(/To: (.+)/) },
  items: [...text.matchAll(/^(\d+) x (\S+)\s+\$(\S+)$/gm)].map(([, count, what, amount]) => ({
    count: Number(count),
    what,
    amount: Number(amount.replace(',', '')),
  })),
  total: find(/Total due: (\S+)/),
  due: find(/by (\S+) \(day/),
}
console.log(`Here is the invoice:\n\n\`\`\`json\n${JSON.stringify(invoice, null, 2)}\n\`\`\``)
