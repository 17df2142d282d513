import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/**
 * A fake model, so that this example runs offline: it implements the OpenAI protocol, but only compares words. An item is
 * satisfied if half of its longer words are in the answer. If it has tools and an item names a file, it reads that file
 * first and compares its words instead.
 */
export function startJudge() {
  const server = createServer(async (request, response) => {
    const { messages, tools = [] } = await json(request)
    const prompt = messages.findLast(({ role }) => role === 'user').content
    const file = messages.findLast(({ role }) => role === 'tool')?.content
    const path = tools.length > 0 && file === undefined ? /[\w-]+\.txt/.exec(prompt)?.[0] : undefined
    const content = JSON.stringify(path === undefined ? verdict(prompt, file) : { path })
    const usage = { prompt_tokens: words(JSON.stringify(messages)).length, completion_tokens: words(content).length }
    const tool_calls = [{ id: 'look-1', type: 'function', function: { name: 'read', arguments: content } }]
    const choice =
      path === undefined
        ? { finish_reason: 'stop', message: { role: 'assistant', content } }
        : { finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls } }
    const choices = [{ index: 0, ...choice }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'stand-in', model: 'stand-in', created: 0, choices, usage }))
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function verdict(prompt, file) {
  // The text to judge is between marks.
  const [, answer = ''] = /<<<data-\w+\n([\s\S]*?)\ndata-\w+>>>/.exec(prompt) ?? []
  const items = [...prompt.matchAll(/^- (\S+): (.*) \((satisfied or not|a score from 0 to 10)\)$/gm)]
  if (items.length === 0) {
    const asked = /Question: (.*)/.exec(prompt)?.[1] ?? ''
    return { score: share(asked, answer), hits: [], misses: [], reasoning: 'by the words that both have' }
  }
  const reasoning = 'by the words that both have'
  return {
    items: items.map(([, id, outcome, kind]) =>
      kind === 'satisfied or not'
        ? { id, satisfied: share(file ?? outcome, answer) >= 0.5, reasoning }
        : { id, score: /please|gladly|thank/i.test(answer) ? 9 : 4, reasoning: 'by its polite words' },
    ),
  }
}

/** The share of the longer words of a text that are in another one. */
function share(text, other) {
  const wanted = words(text).filter(word => word.length > 3 || /\d/.test(word))
  return wanted.filter(word => words(other).includes(word)).length / Math.max(1, wanted.length)
}

function words(text) {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
