import { text } from 'node:stream/consumers'

// Writes a haiku-like answer about the last word of the question.
const subject = (await text(process.stdin)).trim().replace(/\W+$/, '').split(' ').at(-1)
console.log(`The ${subject} is still.\nSomewhere a small ${subject} waits,\nand nobody hurries.`)
