import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, exitsWith } from '../step.mjs'
import { writeTargets } from '../targets.mjs'

const SIZES = { unit: 'calls', least: 1, sizes: [50, 500, 5_000] }
const TOOLS = ['search', 'read_file', 'write_file', 'run', 'list_files']
const MODES = ['any_order', 'in_order', 'exact', 'superset', 'subset']

export const calls = [
  { name: 'calls: one transcript, ten of them expected', ...SIZES, steps: fewExpected },
  { name: 'calls: one transcript, a hundred expected with limits of time', ...SIZES, steps: timedCalls },
  // These modes compare all pairs of calls, so they take quadratic time.
  {
    name: 'calls: one transcript, all of them expected',
    unit: 'calls',
    least: 1,
    sizes: [20, 200, 2_000],
    isSquare: true,
    steps: allExpected,
  },
  { name: 'calls: events of agents', ...SIZES, steps: agentSteps },
]

function callsOf(count, salt = '') {
  return Array.from({ length: count }, (_, index) => ({
    tool: TOOLS[index % TOOLS.length],
    input: { path: `src/file-${index}${salt}.ts`, line: index },
    output: `what stands in line ${index} of the file`,
    duration_ms: index % 100,
  }))
}

function expectedOf(all) {
  return all.map(({ tool, input }) => ({ tool, args: { line: input.line } }))
}

function writeCalls(home, count) {
  const say = salt => [{ pattern: '.', response: `Done${salt}.`, tool_calls: callsOf(count, salt) }]
  writeTargets(home, [
    { name: 'default', provider: 'mock', responses: say('') },
    { name: 'other', provider: 'mock', responses: say('-changed') },
    { name: 'again', provider: 'replay', from: 'latest' },
  ])
}

function writeSuite(home, name, checks) {
  const test = { id: 'long', criteria: 'Calls tools', input: 'Do it', assert: checks }
  writeFileSync(
    join(home, `${name}.eval.yaml`),
    JSON.stringify({ name: 'long-transcripts', version: '1.0', tests: [test] }),
  )
}

/** Evenly spaced calls, so that the whole transcript has to be searched. */
function some(all, wanted) {
  const step = Math.max(1, Math.floor(all.length / wanted))
  return all.filter((_, index) => index % step === step - 1).slice(0, wanted)
}

/** The exit codes of modes that allow no other calls. */
const CODES = { exact: 1, subset: 1 }

function fewExpected(home, count) {
  writeCalls(home, count)
  const all = callsOf(count)
  const expected = expectedOf(some(all, 10))
  for (const mode of MODES) writeSuite(home, mode, [{ type: 'tool_trajectory', mode, expected }])
  writeSuite(home, 'reversed', [{ type: 'tool_trajectory', mode: 'in_order', expected: expected.toReversed() }])
  writeSuite(home, 'others', [
    { type: 'tool_trajectory', minimums: { search: 1 }, forbidden: ['delete'] },
    { type: 'trigger_judge', skill: 'none', should_trigger: false, scan: 'all' },
    { type: 'execution_metrics', max_tool_calls: 10_000 },
  ])
  const evaluate = (suite, ...more) => ['eval', `${suite}.eval.yaml`, '--quiet', ...more]
  const isAll = count <= 10
  return [
    ...MODES.map(mode => exitsWith(isAll ? 0 : (CODES[mode] ?? 0), assay(mode, ...evaluate(mode)))),
    exitsWith(isAll ? 0 : 1, assay('in_order, reversed', ...evaluate('reversed'))),
    assay('minimums, trigger, metrics', ...evaluate('others')),
    assay('replay', ...evaluate('any_order', '--target', 'again')),
    assay('log', ...evaluate('any_order', '--log')),
    assay('log again, other arguments', ...evaluate('any_order', '--log', '--target', 'other')),
    assay('log show', 'log', 'show', 'do_it'),
    assay('log diff', 'log', 'diff', 'do_it'),
    assay('log to-eval', 'log', 'to-eval', '-o', 'made.eval.yaml'),
    assay('report html', 'report', 'latest', '-o', 'out.html'),
    assay('terminal, verbose', 'eval', 'any_order.eval.yaml', '--verbose'),
  ]
}

function timedCalls(home, count) {
  writeCalls(home, count)
  const expected = some(callsOf(count), 100).map(({ tool }, index) => ({ tool, max_duration_ms: index % 100 }))
  for (const mode of MODES) writeSuite(home, mode, [{ type: 'tool_trajectory', mode, expected }])
  // The exit code depends on the durations, so it is not checked.
  return MODES.map(mode => ({ ...assay(mode, 'eval', `${mode}.eval.yaml`, '--quiet'), exit: undefined }))
}

function allExpected(home, count) {
  writeCalls(home, count)
  const expected = expectedOf(callsOf(count))
  for (const mode of MODES) writeSuite(home, mode, [{ type: 'tool_trajectory', mode, expected }])
  const byName = callsOf(count).map(({ tool }) => ({ tool }))
  writeSuite(home, 'one-too-many', [
    { type: 'tool_trajectory', mode: 'any_order', expected: [...byName, { tool: 'run' }] },
  ])
  const last = { ...expected.at(-1), args: { line: -1 } }
  writeSuite(home, 'last-is-wrong', [
    { type: 'tool_trajectory', mode: 'in_order', expected: [...expected.slice(0, -1), last] },
  ])
  return [
    ...MODES.map(mode => assay(mode, 'eval', `${mode}.eval.yaml`, '--quiet')),
    { ...assay('any_order, one too many', 'eval', 'one-too-many.eval.yaml', '--quiet'), exit: undefined },
    { ...assay('in_order, the last is wrong', 'eval', 'last-is-wrong.eval.yaml', '--quiet'), exit: undefined },
  ]
}

function agentSteps(home, count) {
  const agent = (name, lines) => {
    writeFileSync(join(home, `${name}.jsonl`), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    writeFileSync(join(home, name), `#!/bin/sh\nexec cat "$(dirname "$0")/${name}.jsonl"\n`)
    chmodSync(join(home, name), 0o755)
    return `./${name}`
  }
  writeTargets(home, [
    { name: 'claude', provider: 'claude_cli', command: agent('claude', claudeEvents(count)) },
    { name: 'codex', provider: 'codex_cli', command: agent('codex', codexEvents(count)) },
  ])
  writeSuite(home, 'least', [{ type: 'tool_trajectory', minimums: { Bash: 1 } }])
  writeSuite(home, 'shell', [{ type: 'tool_trajectory', forbidden: ['delete'] }])
  return [
    assay('claude_cli', 'eval', 'least.eval.yaml', '--quiet', '--target', 'claude'),
    assay('codex_cli', 'eval', 'shell.eval.yaml', '--quiet', '--target', 'codex'),
  ]
}

function claudeEvents(count) {
  const events = Array.from({ length: count }, (_, index) => {
    const use = { type: 'tool_use', id: `call-${index}`, name: 'Bash', input: { command: `cat file-${index}` } }
    const result = { type: 'tool_result', tool_use_id: `call-${index}`, content: `line ${index}` }
    return [
      {
        type: 'assistant',
        message: { id: `msg-${index}`, role: 'assistant', content: [{ type: 'text', text: 'Next.' }, use] },
      },
      { type: 'user', message: { role: 'user', content: [result] } },
    ]
  })
  return [...events.flat(), { type: 'result', subtype: 'success', is_error: false, result: 'Done.' }]
}

function codexEvents(count) {
  const events = Array.from({ length: count }, (_, index) => {
    const item = { id: `item-${index}`, type: 'command_execution', command: `cat file-${index}` }
    return [
      { type: 'item.started', item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' } },
      {
        type: 'item.completed',
        item: { ...item, aggregated_output: `line ${index}`, exit_code: 0, status: 'completed' },
      },
    ]
  })
  const said = { type: 'item.completed', item: { id: 'last', type: 'agent_message', text: 'Done.' } }
  return [
    { type: 'turn.started' },
    ...events.flat(),
    said,
    { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
  ]
}
