#!/usr/bin/env node
// Stands in for Claude Code: plays the script in its prompt, `SCRIPT: {"with": [steps], "without": [steps]}` or a list
// for both. A step is {text}, {tool, input, error}, {write: PATH} or {wait: MS}. PLUGIN_AGENT_LOG: a file to append each call to.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'

const args = process.argv.slice(2)
const stdin = await text(process.stdin)
const { PLUGIN_AGENT_LOG: log } = process.env
const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('EVAL_')))
if (log) appendFileSync(log, `${JSON.stringify({ args, stdin, cwd: process.cwd(), env: own })}\n`)

const print = event => console.log(JSON.stringify(event))
const say = (role, content) => print({ type: role, message: { role, content: [content] } })
const [, written = '[]'] = /^SCRIPT: (.*)$/m.exec(stdin) ?? []
const script = JSON.parse(written)
const steps = Array.isArray(script) ? script : script[args.includes('--plugin-dir') ? 'with' : 'without']

print({ type: 'system', subtype: 'init' })
let result = ''
for (const [index, step] of steps.entries()) {
  if (step.wait !== undefined) await new Promise(resolve => setTimeout(resolve, step.wait))
  else if (step.write !== undefined) {
    mkdirSync(dirname(step.write), { recursive: true })
    writeFileSync(step.write, 'written\n')
  } else if (step.tool === undefined) {
    result = step.text
    say('assistant', { type: 'text', text: step.text })
  } else {
    say('assistant', { type: 'tool_use', id: `t${index}`, name: step.tool, input: step.input ?? {} })
    const failed = step.error === undefined ? {} : { is_error: true }
    say('user', { type: 'tool_result', tool_use_id: `t${index}`, content: step.error ?? 'done', ...failed })
  }
}
print({ type: 'result', subtype: 'success', is_error: false, result, total_cost_usd: 0.01 })
