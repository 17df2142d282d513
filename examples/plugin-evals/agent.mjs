#!/usr/bin/env node
// Plays the part of Claude Code: with the plugin, it uses the skill for commit messages.
import { text } from 'node:stream/consumers'

const prompt = await text(process.stdin)
const hasPlugin = process.argv.includes('--plugin-dir')
const isCommit = prompt.includes('Write a commit message')
const answer = isCommit
  ? hasPlugin
    ? 'fix(login): time out after an hour'
    : 'Fixed the timeout of the login'
  : 'A commit contains a snapshot of all files.'

const print = event => console.log(JSON.stringify(event))
const say = (role, block) => print({ type: role, message: { role, content: [block] } })

if (isCommit && hasPlugin) {
  say('assistant', { type: 'tool_use', id: 'call_1', name: 'Skill', input: { skill: 'commits:commit-style' } })
  say('user', { type: 'tool_result', tool_use_id: 'call_1', content: 'Launching skill: commit-style' })
}
say('assistant', { type: 'text', text: answer })
print({ type: 'result', subtype: 'success', is_error: false, result: answer, total_cost_usd: 0.01 })
