import fc from 'fast-check'
import type { LoggedRun, LoggedTurn } from '../../../src/log/logged-run.ts'
import { callText } from '../../../src/log/tool-call-text.ts'
import type { ApiMessage } from '../../../src/model/messages/api-messages.ts'
import { anyText, jsonOf } from '../hostile-texts.ts'

const count = fc.option(fc.nat({ max: 1_000_000 }))
const cost = fc.option(
  fc.oneof(fc.constantFrom(0, 1, 0.1, 1e-7, 1.25e-7, 1e21, 0.0015), fc.double({ min: 0, max: 1e6, noNaN: true })),
)
// JSON has no -0.
const figures = { tokens: count, cost: cost.map(usd => (usd === 0 ? 0 : usd)), duration_ms: count }

const call = fc.tuple(
  fc.constantFrom('greet', 'mcp__files__read', 'ファイル'),
  fc.dictionary(anyText, jsonOf(anyText), { maxKeys: 2 }),
)

const turn = (input: string): fc.Arbitrary<LoggedTurn & { calls: [string, unknown][] }> =>
  fc
    .record({
      input: fc.constant(input),
      output: anyText,
      calls: fc.array(call, { maxLength: 2 }),
      expected: fc.oneof(fc.constant(''), anyText),
      evaluation: fc.oneof(
        fc.constantFrom('', 'pass'),
        anyText.map(why => `fail: ${why}`),
      ),
      ...figures,
    })
    .map(turn => ({ ...turn, tools_called: turn.calls.map(([tool, input]) => callText(tool, input)) }))

const runOf = (inputs: readonly string[]): fc.Arbitrary<LoggedRun> =>
  fc
    .record({
      system_prompt: anyText,
      model: fc.oneof(fc.constant('gemini-2.5-flash'), anyText),
      cwd: fc.oneof(fc.constant('/home/me/project'), anyText),
      timestamp: fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map(date => date.toISOString().slice(0, 19).replace('T', ' ')),
      made: fc.tuple(...inputs.map(turn)),
      ...figures,
    })
    .map(({ made, ...run }) => ({
      ...run,
      turns: made.map(({ calls, ...turn }) => turn),
      messages: [{ role: 'system', content: run.system_prompt }, ...made.flatMap(messagesOf)],
    }))

function messagesOf({ input, output, calls }: LoggedTurn & { calls: [string, unknown][] }): ApiMessage[] {
  const made = calls.map(([name, args], index) => ({
    id: `call_${index + 1}`,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }))
  return [
    { role: 'user', content: input },
    ...(made.length > 0 ? [{ role: 'assistant', tool_calls: made }] : []),
    ...made.map(({ id }) => ({ role: 'tool', content: output, tool_call_id: id })),
    { role: 'assistant', content: output },
  ]
}

/** Mostly one, sometimes up to three. */
const few = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: 2, arbitrary: value.map(only => [only]) },
    { weight: 1, arbitrary: fc.array(value, { minLength: 2, maxLength: 3 }) },
  )

/** Runs of one conversation. */
export const conversation: fc.Arbitrary<LoggedRun[]> = few(anyText).chain(inputs => few(runOf(inputs)))

/** Conversations of one run, each with this text in a different field. */
export function longConversations(text: string): LoggedRun[][] {
  const places: ((text: string) => Partial<LoggedRun>)[] = [
    system_prompt => ({ system_prompt }),
    content => ({ messages: [{ role: 'user', content }] }),
    text => ({ messages: messagesOf({ ...SHORT_TURN, calls: [['write', { text }]] }) }),
    input => ({ turns: [{ ...SHORT_TURN, input }] }),
    output => ({ turns: [{ ...SHORT_TURN, output }] }),
    text => ({ turns: [{ ...SHORT_TURN, tools_called: [callText('write', { text })] }] }),
  ]
  return places.map(place => [{ ...SHORT, ...place(text) }])
}

const FIGURES = { tokens: 1, cost: 0.5, duration_ms: 2 }
const SHORT_TURN = { input: 'hi', output: 'hello', tools_called: [], expected: '', evaluation: 'pass', ...FIGURES }
/** An ordinary conversation. */
export const SHORT: LoggedRun = {
  system_prompt: '',
  model: 'm',
  cwd: '/',
  timestamp: '2025-12-25 11:56:26',
  turns: [SHORT_TURN],
  messages: [],
  ...FIGURES,
}
