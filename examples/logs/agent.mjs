import { text } from 'node:stream/consumers'

// A small agent that greets people with a tool, and remembers from the conversation whom it has greeted.
const { messages } = JSON.parse(await text(process.stdin))
const said = messages.filter(({ role }) => role === 'user').at(-1).content
const name = said.match(/\b(?:to|and) (\p{Lu}\p{L}*)/u)?.[1]
const greeted = messages
  .filter(({ role }) => role === 'assistant')
  .flatMap(({ tool_calls = [] }) => tool_calls)
  .map(({ function: greet }) => JSON.parse(greet.arguments).name)

const answer = name ? `Hello, ${name}!` : `I have greeted ${greeted.join(' and ') || 'nobody'}.`
const greeting = { role: 'assistant', tool_calls: [{ tool: 'greet', input: { name }, output: answer }] }
console.log(
  JSON.stringify({
    output_messages: [...(name ? [greeting] : []), { role: 'assistant', content: answer }],
    token_usage: { input: 20 * messages.length, output: 5 },
    cost_usd: 0,
    model: 'greeter-1',
  }),
)
