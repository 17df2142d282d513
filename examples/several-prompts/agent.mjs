// Knows the price of apples. It is chatty, unless the prompt says how to reply.
import { readFileSync } from 'node:fs'

const prompt = readFileSync(0, 'utf8')
const [, count = '0'] = /(\d+) apples/.exec(prompt) ?? []
const amount = (Number(count) / 2).toFixed(2)
console.log(prompt.includes('Reply') ? amount : `That is ${amount} EUR`)
