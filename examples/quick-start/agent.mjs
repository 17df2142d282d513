import { text } from 'node:stream/consumers'

const prompt = await text(process.stdin)
console.log(answer(prompt))

/** Returns the first answer that applies to the prompt. */
function answer(prompt) {
  const person = personIn(prompt)
  const numbers = sumIn(prompt)
  if (/\bjson\b/i.test(prompt)) return JSON.stringify(person)
  if (numbers) return String(numbers.reduce((sum, number) => sum + number, 0))
  if (person.name) return `Hello, ${person.name}! Nice to meet you.`
  return 'I do not know. I can greet you, add numbers, and write down who you are as JSON.'
}

/** Finds the name in "my name is Alice" or "I am Bob, 34 years old". */
function personIn(prompt) {
  const name = prompt.match(/\b(?:my name is|I am|I'm) (\p{Lu}[\p{L}'-]*)/u)?.[1]
  const age = prompt.match(/\b(\d+) years old\b/)?.[1]
  return { ...(name && { name }), ...(age && { age: Number(age) }) }
}

/** The numbers of "17 + 25" or "1 + 2 + 3.5". */
function sumIn(prompt) {
  const sum = prompt.match(/\d+(?:\.\d+)?(?:\s*\+\s*\d+(?:\.\d+)?)+/)?.[0]
  return sum?.split('+').map(Number)
}
