import { json } from 'node:stream/consumers'

const NUMBERS = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 }

// With `stdin: json`, the agent reads the whole conversation as a list of messages.
const { messages } = await json(process.stdin)
const said = role => messages.filter(message => message.role === role).map(({ content }) => content)
const last = said('user').at(-1)
const nights = numbersIn(said('user').join(' ')).at(-1)
const price = Number(
  said('system')
    .join(' ')
    .match(/(\d+) euros/)?.[1],
)
console.log(answer())

function answer() {
  if (!nights) return 'Gladly! When will you arrive, and for how many nights?'
  if (/pay|cost|total/i.test(last)) return `That is ${nights * price} euros for ${nights} nights.`
  return `${nights} nights it is. Anything else?`
}

/** Finds all numbers, as words or digits: the last one counts. */
function numbersIn(text) {
  const words = text.toLowerCase().match(/\b(\d+|one|two|three|four|five|six|seven)\b/g) ?? []
  return words.map(word => NUMBERS[word] ?? Number(word))
}
