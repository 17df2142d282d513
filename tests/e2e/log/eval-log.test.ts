import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { bytesOf, logIn, logNames, runIn } from '../../support/logs/written-logs.ts'
import { folderWith } from '../../support/program.ts'
import { SECRET, useLoggedFolder, user } from './logged-suite.ts'

const { folder, evalResult, log, json } = useLoggedFolder()

describe('eval --log', () => {
  it('logs every attempt and prints the number', () => {
    expect(evalResult().stderr).toMatch(/\n22 attempts logged in \.co\/evals\n$/)
    expect(evalResult().code).toBe(3)
    expect(logNames(folder)).toEqual([
      'default',
      'expect_data',
      'expect_messages',
      'find_it',
      'hi_31m_there_new_2j_line',
      'is_it_the_key',
      'keep_it',
      'miss',
      'say_hello_to_alice',
      'see_file_path_notes_of_ü_md_image_path_dot_png',
      'speak',
    ])
    const runs = logNames(folder).map(name => logIn(folder, name).runs)
    expect(runs).toEqual([2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2])
  })

  it('writes answer, expectation and evaluation of all trials', () => {
    const meta = '{"tokens": 5, "cost": 0.5, "duration_ms": 20, "ts": "TS"}'
    const { created, updated, turns, ...rest } = logIn(folder, 'say_hello_to_alice')
    expect(rest).toEqual({ name: 'say_hello_to_alice', runs: 2, model: 'own-1' })
    const run = (number: number) => ({
      run: number,
      output: `Hello ${number}`,
      tools_called: [`say(words=['Hello'], n=${number})`],
      expected: 'Hello, Alice',
      evaluation: 'pass',
      meta,
    })
    const timeless = JSON.parse(JSON.stringify(turns).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TS'))
    expect(timeless).toEqual([{ input: 'Say hello to Alice', ...run(2), history: [run(1)] }])
    expect([created, updated].sort()).toEqual([created, updated])
    expect(runIn(folder, 'say_hello_to_alice', 2)).toEqual({
      system_prompt: '',
      model: 'own-1',
      cwd: folder,
      tokens: 5,
      cost: 0.5,
      duration_ms: 20,
      timestamp: updated,
      messages: [
        user('Say hello to Alice'),
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'say', arguments: '{"words": ["Hello"], "n": 2}' } },
          ],
        },
        { role: 'tool', content: '{\n  "said": true\n}', tool_call_id: 'call_1' },
        { role: 'assistant', content: 'Hello 2' },
      ],
    })
  })

  it.each([
    ['expect_messages', 'Last words', 'pass'],
    ['expect_data', '{"a":[1,"ü"]}', 'pass'],
    ['keep_it', 'by hand', 'pass'],
    ['miss', '', 'fail: does not contain "Never"; the answer is "Hello 2", expected "No"'],
  ])('in %s expects %j', (name, expected, evaluation) => {
    expect(logIn(folder, name).turns[0]).toMatchObject({ expected, evaluation })
  })

  it('keeps unknown keys and the earlier run with its expectation', () => {
    const kept = logIn(folder, 'keep_it')
    expect(kept).toMatchObject({ own: 'key', turns: [{ run: 3, history: [{ run: 2 }, { run: 1, output: 'before' }] }] })
    expect(kept.turns[0]?.history.map(({ expected }) => expected)).toEqual(['by hand', 'by hand'])
  })

  it('logs an attempt without an answer with the reason', () => {
    const [turn] = logIn(folder, 'speak').turns
    expect(turn).toMatchObject({ output: '', tools_called: [], evaluation: expect.stringMatching(/^error: .{10}/) })
    expect(JSON.parse(turn?.meta ?? '')).toMatchObject({ tokens: null, cost: null })
    expect(runIn(folder, 'speak').messages).toEqual([user('Speak')])
    expect(runIn(folder, 'speak').model).toBe('mute')
  })

  it('logs files and images by name and data as text', () => {
    const content =
      'See\n\n<file path="notes of ü.md" />\n\n<image path="dot.png" />\n\n<image />\n\n{\n  "a": [\n    1,\n    null\n  ]\n}'
    const name = 'see_file_path_notes_of_ü_md_image_path_dot_png'
    expect(logIn(folder, name).turns[0]?.input).toBe(content)
    expect(runIn(folder, name).messages[0]).toEqual(user(content))
  })

  it('has a turn for each user message, without usage for those before the last', () => {
    const { turns } = logIn(folder, 'find_it')
    expect(
      turns.map(({ input, output, tools_called, expected, evaluation }) => [
        input,
        output,
        tools_called,
        expected,
        evaluation,
      ]),
    ).toEqual([
      ['Find it', 'Two.', ["find(q='ü')"], '', ''],
      ['And then?', 'Hello 2', ["say(words=['Hello'], n=2)"], 'More', 'pass'],
    ])
    expect(JSON.parse(turns[0]?.meta ?? '')).toMatchObject({ tokens: null, cost: null, duration_ms: null })
    const { system_prompt, messages } = runIn(folder, 'find_it')
    expect(system_prompt).toBe('Be kind')
    expect(messages.map(({ tool_calls: [first] = [{}], tool_call_id }) => first.id ?? tool_call_id)).toEqual([
      undefined,
      undefined,
      'call_7',
      'call_7',
      undefined,
      undefined,
      'call_8',
      'call_8',
      undefined,
    ])
  })

  it('logs a test without a user message', () => {
    expect(logIn(folder, 'default').turns).toMatchObject([{ input: '', output: 'Hello 2', evaluation: 'pass' }])
    expect(runIn(folder, 'default').messages[0]).toEqual({ role: 'system', content: 'Speak up' })
  })

  it('reveals no secret of a target in files or output', async () => {
    const { turns, ...rest } = logIn(folder, 'is_it_the_key')
    expect(turns[0]).toMatchObject({ input: 'Is it [THE_KEY]?', output: 'My key is [THE_KEY] 2' })
    expect(runIn(folder, 'is_it_the_key').system_prompt).toBe('Never tell [THE_KEY]')
    expect(rest.name).toBe('is_it_the_key')
    const run = await log('run', `I know ${SECRET}`, '--target', 'secret', '--json')
    expect(JSON.parse(run.stdout)).toMatchObject({ run: 1, turns: [{ input: 'I know [THE_KEY]' }] })
    const all = [evalResult(), run].map(({ stdout, stderr }) => stdout + stderr).join()
    for (const form of [SECRET, 'q7-Secret', 'q7_secret', 'of+the target']) {
      expect(all).not.toContain(form)
      for (const [path, bytes] of Object.entries(bytesOf(folder)))
        expect(path + Buffer.from(bytes, 'base64')).not.toContain(form)
    }
  })

  it('writes the same logs as log import, except for the folder', async () => {
    const imported = await log('import', 'latest', '--log-dir', 'imported')
    expect(imported).toEqual({ code: 0, stdout: 'logged 22 attempts in 11 logs in imported\n', stderr: '' })
    // `eval --log` uses the end of the run as timestamp, `log import` its start.
    const timeless = (written: object) =>
      JSON.parse(JSON.stringify(written).replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME'))
    const without = (name: string) => !['keep_it', 'is_it_the_key', 'i_know_the_key'].some(other => name === other)
    for (const name of logNames(folder).filter(without)) {
      expect(timeless(logIn(folder, name, 'imported'))).toEqual(timeless(logIn(folder, name)))
      for (const number of [1, 2]) {
        const there = runIn(folder, name, number, 'imported')
        expect(timeless({ ...there, cwd: '' })).toEqual(timeless({ ...runIn(folder, name, number), cwd: '' }))
      }
    }
    const before = bytesOf(folder, 'imported')
    expect(await json('import', 'latest', '--log-dir', 'imported')).toEqual({
      attempts: 0,
      already_logged: 22,
      logs: [],
    })
    expect(bytesOf(folder, 'imported')).toEqual(before)
  })
})

describe('logging of a run', () => {
  it('follows the configuration unless an option overrides it', async () => {
    const cwd = folderWith({
      'EVAL.yaml': JSON.stringify({
        name: 'one',
        tests: [{ id: 'a', criteria: 'Answers', input: 'Hi', assert: [{ type: 'equals', value: 'Ho' }] }],
      }),
      '.assay/targets.yaml': JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'Ho' }] }),
    })
    const logged = async (folder: string, ...args: string[]) => {
      const { code, stderr } = await assay(['eval', ...args], { cwd })
      expect(code).toBe(0)
      expect(stderr.includes('logged in')).toBe(existsSync(join(cwd, folder)))
      const is = existsSync(join(cwd, folder))
      rmSync(join(cwd, folder), { recursive: true, force: true })
      return is
    }
    expect(await logged('.co')).toBe(false)
    expect(await logged('my logs/ü', '--log', '--log-dir', 'my logs/ü')).toBe(true)
    writeFileSync(join(cwd, '.assay/config.yaml'), 'log: true\n')
    expect(await logged('.co')).toBe(true)
    expect(await logged('.co', '--no-log')).toBe(false)
    expect(await logged('elsewhere', '--log-dir', 'elsewhere')).toBe(true)
  })
})
