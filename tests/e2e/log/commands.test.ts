import { beforeAll, describe, expect, it } from 'vitest'
import { CommandContext } from '../../../src/cli/command-context.ts'
import { logCommand } from '../../../src/cli/commands/log/index.ts'
import { Terminal } from '../../../src/cli/terminal/terminal.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { findLog, findLogFolder } from '../../../src/operations/logs/find-logs.ts'
import { assay } from '../../support/in-process.ts'
import { LOGS, logIn, logsFolder, logText, runIn } from '../../support/logs/written-logs.ts'
import { HOSTILE, useLoggedFolder } from './logged-suite.ts'

const { folder, evalResult, log, json } = useLoggedFolder()

describe('log commands', () => {
  it('list shows runs, turns, model and evaluation of each log', async () => {
    const { code, stdout, stderr } = await log('list')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
    expect(stdout).toMatch(
      new RegExp(`^miss +2 runs +1 turn +${time} +own-1 +fail: does not contain "Never"; the answ…$`, 'm'),
    )
    expect(stdout).toMatch(new RegExp(`^find_it +2 runs +2 turns +${time} +own-1 +pass$`, 'm'))
    const listed = await json('list')
    const [miss] = listed.filter(({ name }: { name: string }) => name === 'miss')
    expect(miss).toMatchObject({
      runs: 2,
      model: 'own-1',
      turns: [{ input: 'Miss', expected: '', evaluation: expect.stringMatching(/^fail: /) }],
    })
  })

  it('show prints one log, for the latest or an earlier run', async () => {
    const { stdout } = await log('show', 'say_hello')
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TS')).toBe(
      [
        'say_hello_to_alice  2 runs  own-1  .co/evals/say_hello_to_alice.yaml',
        'created TS, updated TS',
        '',
        'Turn 1: Say hello to Alice',
        '  run      2, TS, 5 tokens, $0.5000, 20 ms',
        '  output   Hello 2',
        "  tools    say(words=['Hello'], n=2)",
        '  expected Hello, Alice',
        '  judged   pass\n',
      ].join('\n'),
    )
    expect((await log('show', 'Say hello to Alice', '--run', '1')).stdout).toContain('  output   Hello 1\n')
    expect(await json('show', `${LOGS}/say_hello_to_alice.yaml`)).toMatchObject({
      name: 'say_hello_to_alice',
      runs: 2,
      turns: [{ run: 2, meta: { tokens: 5, cost: 0.5 }, history: [{ run: 1, output: 'Hello 1' }] }],
    })
  })

  it('diff prints two runs side by side', async () => {
    const { stdout } = await log('diff', 'say_hello', '--runs', '1,2')
    expect(stdout).toBe(
      [
        'say_hello_to_alice: run 1 and run 2',
        '  model   same',
        '  system  same',
        '',
        'Turn 1: Say hello to Alice',
        '  output  changed',
        '    - Hello 1',
        '    + Hello 2',
        '  tools   changed',
        "    - say(words=['Hello'], n=1)",
        "    + say(words=['Hello'], n=2)",
        '  tokens  5',
        '  cost    $0.5000',
        '  time    20 ms',
        '  judged  same\n',
      ].join('\n'),
    )
    expect(await json('diff', 'say_hello', '--runs', '2,1')).toMatchObject({
      name: 'say_hello_to_alice',
      runs: [2, 1],
      turns: [{ output: { before: 'Hello 2', after: 'Hello 1' }, tokens: { before: 5, after: 5 } }],
    })
  })

  it('messages prints the conversation of a run', async () => {
    const { code, stdout } = await log('messages', 'say_hello', '--run', '1')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(runIn(folder, 'say_hello_to_alice', 1).messages)
    expect(JSON.parse((await log('messages', 'say_hello')).stdout)).toEqual(
      runIn(folder, 'say_hello_to_alice', 2).messages,
    )
  })

  it('escape control characters', async () => {
    const results = [
      await log('show', 'hi_31m'),
      await log('list', '--json'),
      await log('diff', 'hi_31m'),
      await log('expect', 'hi_31m'),
      await log('show', `no ${HOSTILE}`),
      await log('show', 'hi_31m', '--json'),
    ]
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 2, 0])
    const text = [evalResult(), ...results].map(({ stdout, stderr }) => stdout + stderr).join('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/g)).toBeNull()
    expect(results[0]?.stdout).toContain('Turn 1: Hi ␛[31m� there↵new �2J line\n')
    expect(results[5] && JSON.parse(results[5].stdout).turns[0].input).toBe(HOSTILE)
  })
})

describe('the log argument', () => {
  let logs: string
  beforeAll(() => {
    const history = [{ run: 1, output: 'first', expected: '' }]
    logs = logsFolder(
      {
        hello: logText([{ input: 'Hello', output: 'Hi' }]),
        hello_2: logText([{ input: 'Hello!', run: 2, output: 'Hi!', history }]),
        same: logText([{ input: 'Same', output: 'A' }]),
        same_2: logText([
          { input: 'Same', output: 'B' },
          { input: 'More', output: 'C' },
        ]),
        read_a_yaml: logText([{ input: 'Read a.yaml', output: 'Y' }]),
        notes: 'a: b\n',
      },
      [],
    )
  })

  it.each([
    ['hello', 'Hi'],
    ['Hello', 'Hi'],
    ['HELLO?', 'Hi'],
    ['Hello!', 'Hi!'],
    ['hello_2.yaml', 'Hi!'],
    ['.co/evals/hello_2.yaml', 'Hi!'],
    ['Read a.yaml', 'Y'],
    ['rea', 'Y'],
  ])('finds a log by name, input or path: %s', async (name, output) => {
    const found = await findLog(name, await findLogFolder(undefined, nodeHost(logs), () => {}))
    expect(found.turns[0]?.output).toBe(output)
  })

  it.each([
    ['show', 'Same', [], 'Several logs begin with Same: same, same_2.'],
    ['show', 'hel', [], 'Several logs begin with hel: hello, hello_2.'],
    ['show', 'helo', [], 'No log named helo in .co/evals: did you mean `hello`?'],
    ['show', 'x', [], 'No log named x in .co/evals: there are 6 logs, see `assay log list`'],
    ['show', 'notes', [], '.co/evals/notes.yaml is not a log: it has no `turns`.'],
    ['show', 'hello', ['--run', '9'], 'hello has no run 9: it has 1.'],
    ['messages', 'hello', [], 'hello has no file of run 1.'],
    ['diff', 'hello', [], 'hello has only one run: nothing to compare.'],
    ['diff', 'hello', ['--runs', '1,2'], 'hello has no run 2: it has 1.'],
    ['expect', 'same_2', [], 'same_2 has 2 turns: choose one with `--turn`, from 1.'],
    ['expect', 'hello', ['--turn', '2'], 'hello has no turn 2: it has 1 turn.'],
    ['expect', 'hello', ['--from-run', '3'], 'hello has no run 3 of this turn.'],
  ] as const)('is rejected with a message: %s %s %j', async (name, log, args, message) => {
    const refused = await assay(['log', name, log, ...args], { cwd: logs })
    expect(refused).toEqual({ code: 2, stdout: '', stderr: `${message}\n` })
  })

  it('of log expect gets its expectation from a run or a text, or loses it', async () => {
    const expected = async (name: string, turn: number, ...args: string[]) => {
      const { code, stdout } = await assay(['log', 'expect', name, ...args], { cwd: logs })
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`wrote .co/evals/${name}.yaml\n`) })
      return logIn(logs, name).turns[turn - 1]?.expected
    }
    expect(await expected('hello', 1)).toBe('Hi')
    expect(await expected('hello_2', 1, '--from-run', '1')).toBe('first')
    expect(await expected('same_2', 2, '--turn', '2', '--text', 'a: "b"\n# c')).toBe('a: "b"\n# c')
    expect(logIn(logs, 'same_2').turns[0]?.expected).toBe('')
    expect(await expected('hello', 1, '--text', '')).toBe('')
    expect(logIn(logs, 'hello')).toMatchObject({ runs: 1, model: 'before', turns: [{ input: 'Hello', output: 'Hi' }] })
  })
})

describe('assay log --help', () => {
  const host = nodeHost()
  const log = logCommand(new CommandContext(host, new Terminal(host)))
  it.each(log.commands.map(each => [each.name(), each] as const))('shows an example of %s', (name, each) => {
    let text = ''
    each.configureOutput({
      writeOut: part => {
        text += part
      },
    })
    each.outputHelp()
    expect(text).toMatch(new RegExp(`\\n  \\$ assay log ${name}\\b`))
  })
})
