// A chat completions server that returns the same judgement for every request after 50 ms, or those of its argument.
import { createServer } from 'node:http'

const ms = Number(process.argv[2] ?? 50)
const content = JSON.stringify({ score: 1, hits: ['Says a sum'], misses: [], reasoning: 'It says a sum.' })
const reply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'judge-model',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 300, completion_tokens: 30, total_tokens: 330 },
})

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end(reply)
    }, ms)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`))
