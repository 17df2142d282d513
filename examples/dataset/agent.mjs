import { text } from 'node:stream/consumers'

const year = Number((await text(process.stdin)).match(/\b\d{4}\b/)?.[0])
const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
console.log(isLeap ? 'Yes.' : 'No.')
