import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { event, REPLAY_AGENT } from '../../../support/agents.ts'
import { suiteWith } from '../../../support/evaluation.ts'
import { folderWith, PROGRAM } from '../../../support/program.ts'
import {
  endLeftovers,
  expectNoProcesses,
  linesOf,
  markerEnv,
  resultsIn,
  runFolder,
  suiteFolder,
  temporaryFiles,
} from '../../../support/suite-run.ts'

afterEach(endLeftovers)

const RESULT = event({ type: 'result', subtype: 'success', is_error: false, result: 'ok' })
const HALF = event({ type: 'assistant', message: { id: 'm', content: 'ok so far' } })

describe('Ctrl-C', () => {
  // Reports success on SIGTERM.
  const LATE = `import { appendFileSync } from 'node:fs'
process.on('SIGTERM', () => {
  console.log('${RESULT}')
  console.log('{"type":"turn.completed","usage":{}}')
  process.exit(0)
})
console.log('${HALF}')
appendFileSync(process.env.STARTED, 'x\\n')
await new Promise(resolve => setTimeout(resolve, 300_000))\n`

  it('stops agents, removes their folders, and records no partial answer', async () => {
    const tests = ['claude_cli', 'codex_cli'].map(id => ({ id, input: 'x', execution: { target: id } }))
    const folder = suiteFolder({ tests: JSON.parse(suiteWith(tests)).tests }, [])
    const env = { STARTED: join(folder, 'started'), REPLAY_RUN: join(folder, 'late.mjs') }
    const targets = tests.map(({ id }) => {
      const fields = { workspace: 'app', skills: ['skills/one'], workers: 1 }
      return { name: id, provider: id, command: REPLAY_AGENT, env, ...fields }
    })
    folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }), 'late.mjs': LATE, 'app/a': '' }, folder)
    mkdirSync(join(folder, 'skills/one'), { recursive: true })
    writeFileSync(join(folder, 'skills/one/SKILL.md'), '')
    const child = spawn(process.execPath, [PROGRAM, 'eval'], {
      cwd: folder,
      env: { ...process.env, ...markerEnv(folder) },
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.on('close', resolve))
    await expect.poll(() => linesOf(join(folder, 'started')), { timeout: 60_000 }).toHaveLength(2)
    expect(temporaryFiles(folder).filter(name => !name.endsWith('.owner'))).toHaveLength(4)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(resultsIn(folder)).toEqual([])
    expect(readFileSync(join(runFolder(folder), 'answers.jsonl'), 'utf8')).toBe('')
    expect(temporaryFiles(folder)).toEqual([])
    await expectNoProcesses(folder)
  })
})
