import { text } from 'node:stream/consumers'

// The clerk of a small shop, with two answers.
const question = await text(process.stdin)
const isSunday = /sunday/i.test(question)
if (/open/i.test(question)) console.log(isSunday ? 'On Sundays we are not open.' : 'We are open from nine to six.')
else console.log('Gladly! You can return it within 30 days; please bring the receipt.')
