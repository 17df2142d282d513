import { readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// A small agent: it selects tools by the question, calls them, and answers from their results.
// It prints its transcript, so that checks can inspect the tool calls and not only the answer.
const question = await text(process.stdin)
const calls = []

const TOOLS = {
  Skill: ({ skill }) => readFileSync(`skills/${skill}/SKILL.md`, 'utf8'),
  Glob: ({ pattern }) => readdirSync(pattern.replace('/*.md', '')).map(name => pattern.replace('*.md', name)),
  Grep: ({ pattern, files }) => files.filter(file => new RegExp(pattern, 'i').test(readFileSync(file, 'utf8'))),
  Read: ({ file_path }) => readFileSync(file_path, 'utf8'),
  calculate: ({ left, operator, right }) => (operator === '+' ? left + right : left * right),
}

const answer = decide()
console.log(JSON.stringify(transcript(answer)))

function decide() {
  const sum = /(\d+)\s*([+*])\s*(\d+)/.exec(question)
  if (sum) return String(call('calculate', { left: Number(sum[1]), operator: sum[2], right: Number(sum[3]) }))
  const table = /\S+\.csv/.exec(question)?.[0]
  if (table) return bestMonths(table)
  const word = /\b(open|return)/i.exec(question)?.[1]
  return word ? fromNotes(word) : 'I can look things up, add numbers and read tables. What do you need?'
}

function bestMonths(table) {
  call('Skill', { skill: 'csv-analyzer' })
  const [, ...rows] = call('Read', { file_path: table }).trim().split('\n')
  const months = rows.map(row => row.split(',')).sort(([, a], [, b]) => b - a)
  return `The best months: ${months
    .slice(0, 3)
    .map(([month, revenue]) => `${month} (${revenue})`)
    .join(', ')}.`
}

function fromNotes(word) {
  const files = call('Glob', { pattern: 'notes/*.md' })
  const [found] = call('Grep', { pattern: word, files })
  return call('Read', { file_path: found }).split('\n')[1]
}

function call(tool, input) {
  const start = performance.now()
  const output = TOOLS[tool](input)
  calls.push({ tool, input, output, duration_ms: performance.now() - start })
  return output
}

/** Counts words as tokens; a real agent reports the count of its model. */
function transcript(content) {
  const words = value => JSON.stringify(value).split(/\s+/).length
  return {
    output_messages: [
      ...calls.map(call => ({ role: 'assistant', tool_calls: [call] })),
      { role: 'assistant', content },
    ],
    token_usage: { input: words(question) + words(calls), output: words(content) },
  }
}
