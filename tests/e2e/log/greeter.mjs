// A small agent that greets a person with a tool, and reports usage.
// GREETER_MS: the duration that it reports.
import { readFileSync } from 'node:fs'

const messages = JSON.parse(readFileSync(0, 'utf8')).messages
const [, name = 'you'] = /hello to (\w+)/i.exec(JSON.stringify(messages.at(-1))) ?? []
const greeting = `Hello, ${name}!`

console.log(
  JSON.stringify({
    output_messages: [
      { role: 'assistant', tool_calls: [{ tool: 'greet', input: { name }, output: greeting }] },
      { role: 'assistant', content: greeting },
    ],
    model: 'gemini-2.5-flash',
    token_usage: { input: 120, output: 35 },
    cost_usd: 0,
    duration_ms: Number(process.env.GREETER_MS),
  }),
)
