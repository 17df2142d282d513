import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evalFolder } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { LOGS, logIn, logNames, runIn } from '../../support/logs/written-logs.ts'
import { folderWith } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'

const LONG = 'A question that begins like all the others, for more than fifty characters, number'

describe('logs of demanding runs', () => {
  it('with 300 similar tests and 16 workers are complete and can be found', async () => {
    const tests = Array.from({ length: 300 }, (_, index) => ({ id: `t${index}`, input: `${LONG} ${index}` }))
    const folder = evalFolder(tests, [{ name: 'default', provider: 'mock', response: 'ok' }])
    const eval300 = () => assay(['eval', '--log', '-q', '--workers', '16'], { cwd: folder })
    expect(await eval300()).toMatchObject({ code: 0 })
    const inputs = () => logNames(folder).map(name => logIn(folder, name).turns[0]?.input)
    expect(inputs().sort()).toEqual(tests.map(({ input }) => input).sort())
    expect(await eval300()).toMatchObject({ code: 0 })
    expect(inputs().sort()).toEqual(tests.map(({ input }) => input).sort())
    for (const name of logNames(folder)) {
      const { runs, turns } = logIn(folder, name)
      expect({ runs, earlier: turns[0]?.history.length }).toEqual({ runs: 2, earlier: 1 })
      expect(readdirSync(join(folder, LOGS, name))).toEqual(['run_1.yaml', 'run_2.yaml'])
      expect(runIn(folder, name, 2).messages[0].content).toBe(turns[0]?.input)
    }
    expect(readdirSync(join(folder, LOGS)).filter(name => name.startsWith('.'))).toEqual([])
  })

  it('contain every attempt of a resumed run once', async () => {
    const tests = ['a', 'b', 'c'].map(id => ({ id, input: `Say ${id}` }))
    const own = providerModule("return { text: 'ok', cost_usd: 1 }")
    const folder = evalFolder(tests, [{ name: 'default', provider: './own.mjs' }], { 'own.mjs': own })
    const args = ['--log', '-q', '--workers', '1']
    const begun = await assay(['eval', ...args, '--max-cost', '1'], { cwd: folder })
    expect({ code: begun.code, logs: logNames(folder) }).toEqual({ code: 3, logs: ['say_a'] })
    const whole = await assay(['eval', ...args, '--resume'], { cwd: folder })
    expect({ code: whole.code, logs: logNames(folder) }).toEqual({ code: 0, logs: ['say_a', 'say_b', 'say_c'] })
    expect(logNames(folder).map(name => logIn(folder, name).runs)).toEqual([1, 1, 1])
  })

  it('can be replayed while they are being written', async () => {
    const tests = Array.from({ length: 20 }, (_, index) => ({ id: `t${index}`, input: `Say ok ${index}` }))
    const targets = [
      {
        name: 'default',
        provider: 'mock',
        responses: tests.map(({ input }) => ({ pattern: `${input}$`, response: `ok, ${input}` })),
      },
      { name: 'again', provider: 'replay', from: LOGS },
    ]
    const folder = evalFolder(tests, targets)
    await assay(['eval', '--log', '-q'], { cwd: folder })
    const outputs = () => logNames(folder).map(name => logIn(folder, name).turns[0]?.output)
    const before = outputs()
    expect(before).toHaveLength(20)
    const again = await assay(['eval', '--log', '-q', '--target', 'again', '--workers', '16'], { cwd: folder })
    expect(again.code).toBe(0)
    expect(logNames(folder).map(name => logIn(folder, name).runs)).toEqual(before.map(() => 2))
    expect(outputs()).toEqual(before)
  })

  it('work in folders with special characters', async () => {
    const folder = join(folderWith({ 'a b/ü 你好/x': '' }), 'a b/ü 你好')
    folderWith(
      { '.assay/targets.yaml': JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'ok' }] }) },
      folder,
    )
    const where = ['--log-dir', 'my logs/é']
    const made = await assay(['log', 'run', 'Grüße aus 北京', ...where], { cwd: folder })
    expect(made).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: 'Logged as run 1 of grüße_aus_北京 (my logs/é/grüße_aus_北京.yaml)\n',
    })
    expect(await assay(['log', 'expect', 'Grüße aus 北京', ...where], { cwd: folder })).toMatchObject({ code: 0 })
    expect(await assay(['log', 'eval', ...where, '-q'], { cwd: folder })).toMatchObject({
      code: 0,
      stdout: 'grüße_aus_北京  run 2  pass\n\n1 of 1 expected answer passed\n',
    })
    expect(runIn(folder, 'grüße_aus_北京', 2, 'my logs/é').cwd).toBe(folder)
  })

  it('are reported if they cannot be written, and the records are complete', async () => {
    const folder = evalFolder([{ id: 'a', input: 'Hi' }], [{ name: 'default', provider: 'mock', response: 'ok' }])
    writeFileSync(join(folder, 'taken'), '')
    const ended = await assay(['eval', '--log', '--log-dir', 'taken/logs'], { cwd: folder })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(
      /\nCannot log: Cannot .*taken.*\nThe records of the run are complete: `assay log import`/,
    )
    expect(await assay(['log', 'import', 'latest'], { cwd: folder })).toMatchObject({ code: 0 })
    expect(logIn(folder, 'hi').turns[0]).toMatchObject({ output: 'ok', evaluation: 'pass' })
  })
})

describe('a second turn after an answer with very many calls', () => {
  it('is sent and logged', async () => {
    const calls = "Array.from({ length: 150_000 }, () => ({ tool: 't', output: 1 }))"
    const own = providerModule(`
      if (prompt.messages.length > 1) return { text: 'after ' + prompt.messages.length }
      const calls = ${calls}
      return { text: 'done', output_messages: [{ role: 'assistant', tool_calls: calls }, { role: 'assistant', content: 'done' }] }`)
    const folder = folderWith({
      'own.mjs': own,
      '.assay/targets.yaml': JSON.stringify({ targets: [{ name: 'default', provider: './own.mjs' }] }),
    })
    const made = await assay(['log', 'run', 'Call', '--turn', 'More'], { cwd: folder })
    expect(made).toMatchObject({ code: 0, stdout: 'done\nafter 150004\n' })
    expect(logIn(folder, 'call').turns.map(({ tools_called }) => tools_called.length)).toEqual([150_000, 0])
  })
})
