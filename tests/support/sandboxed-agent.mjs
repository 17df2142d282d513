// Runs its prompt as JavaScript and prints what that returns, as JSON after `ok`.
import * as fs from 'node:fs'
import { connect } from 'node:net'

/** The result of a function, or the code of its error. */
const attempt = run => {
  try {
    return run()
  } catch (error) {
    return error.code ?? String(error)
  }
}

/** `connected`, or the code of the error. */
const dial = port =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve('connected')
    })
    socket.on('error', error => resolve(error.code))
  })

const prompt = fs.readFileSync(0, 'utf8')
const code = `export const run = async (fs, attempt, dial) => {${prompt}}`
const { run } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
console.log(`ok ${JSON.stringify((await run(fs, attempt, dial)) ?? null)}`)
