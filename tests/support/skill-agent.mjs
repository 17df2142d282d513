#!/usr/bin/env node
// Stands in for Claude Code: it uses the first skill that is installed for it, and answers.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(process.env.CLAUDE_CONFIG_DIR ?? '', 'skills')
let skills = []
try {
  skills = readdirSync(folder)
} catch {}
const print = event => console.log(JSON.stringify(event))
const say = content => print({ type: 'assistant', message: { role: 'assistant', content: [content] } })

print({ type: 'system', subtype: 'init' })
if (skills.length > 0) say({ type: 'tool_use', id: 't1', name: 'Skill', input: { skill: skills[0] } })
say({ type: 'text', text: `Total: 7${skills.length > 0 ? ', as a report' : ''}` })
print({ type: 'result', subtype: 'success', is_error: false, result: 'Total: 7', total_cost_usd: 0.01 })
