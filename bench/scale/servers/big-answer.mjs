// Answers every request with a text of the given number of megabytes.
import { createServer } from 'node:http'
import { answerOf } from '../workloads/answers.mjs'

const reply = JSON.stringify({ reply: { text: answerOf(Number(process.argv[2])) } })

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(reply)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
