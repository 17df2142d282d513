export const KEY = 'sk-abcdefghijklmnop1234567890'
export const OTHER_KEY = 'sk-zyxwvutsrqponmlkj0987654321'
/** A key without a known format; only the name of its variable marks it as a key. */
export const NAMED_KEY = '0123456789abcdef0123'

export const user = (content: unknown) => ({ role: 'user', content })
export const assistant = (content: string) => ({ role: 'assistant', content })
const calling = (...calls: object[]) => ({ role: 'assistant', tool_calls: calls })
const answer = (text: string, ...calls: object[]) => ({ text, output_messages: [calling(...calls), assistant(text)] })
export const twoTurns = (first: string, said: string, second: string) => [user(first), assistant(said), user(second)]

export const NESTED = {
  list: [1, 'it\'s "quoted"', { none: null, yes: true, deep: [[], {}, [0.5, -1, 1e300, 1e-7]] }],
  text: 'lines\n\tand \\ 你好 😀 \u2028 \u0085',
}

/** An earlier assistant message with tool calls. */
export const ASSISTANT_WITH_CALL = {
  role: 'assistant',
  content: 'Let me see.',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q": "ü"}' } }],
}

/** Conversations by test id, with the answer of each. */
export const CONVERSATIONS: Record<string, { input: unknown; answer: object }> = {
  plain: { input: 'Say hello to Alice', answer: answer('Hello, Alice!', { tool: 'greet', input: { name: 'Alice' } }) },
  nested: { input: 'Look around', answer: answer('Seen.', { tool: 'look', input: NESTED, output: { found: [1] } }) },
  turns: {
    input: twoTurns('Begin', 'Begun', 'Go on'),
    answer: answer('Gone on', { tool: 'a', input: { n: 1 } }, { tool: 'b', error: 'broken' }),
  },
  begins: { input: 'Begin', answer: { text: 'Only this' } },
  more: {
    input: [...twoTurns('Begin', 'Begun otherwise', 'Go on'), assistant('Going'), user('End')],
    answer: { text: 'Ended' },
  },
  system: { input: [{ role: 'system', content: 'Be kind' }, user('Who are you?')], answer: { text: 'Kind' } },
  system_only: { input: [{ role: 'system', content: 'Speak' }], answer: { text: 'Spoken' } },
  tools: {
    input: [
      user('Find it'),
      ASSISTANT_WITH_CALL,
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'json', value: { hits: 2 } }] },
      assistant('Two.'),
      user('And then?'),
    ],
    answer: answer('Then three.', { tool: 'find', input: { q: 'x' }, output: 3 }),
  },
  blocks: {
    input: [
      user([
        { type: 'text', value: 'See' },
        { type: 'file', value: 'notes.md' },
        { type: 'image', value: 'data:image/png;base64,iVBORw0KGgo=' },
        { type: 'json', value: { a: [1, null] } },
      ]),
    ],
    answer: { text: 'I see' },
  },
  key: {
    input: `${KEY} is my key`,
    answer: answer(`Your key is ${KEY}.`, {
      tool: 'login',
      input: { api_key: NAMED_KEY, deep: [{ header: `Bearer ${KEY}`, access_token: NAMED_KEY }], [KEY]: 1 },
      output: `{"password": "${NAMED_KEY}"}`,
    }),
  },
  key_again: {
    input: [
      user(`${KEY} is my key`),
      calling({
        id: 'c1',
        type: 'function',
        function: { name: 'login', arguments: JSON.stringify({ access_token: NAMED_KEY }) },
      }),
      { role: 'tool', tool_call_id: 'c1', content: KEY },
      assistant(`I have ${KEY}`),
      user('Use it'),
    ],
    answer: { text: 'Used' },
  },
  key_here: { input: `Use ${KEY} please`, answer: { text: 'The first' } },
  key_there: { input: `Use ${OTHER_KEY} please`, answer: { text: 'The other' } },
  not_a_key: { input: 'sk learn linear regression tutorial', answer: { text: 'Learned' } },
  empty: { input: '', answer: { text: 'Nothing?' } },
  marks: { input: '?!…', answer: { text: 'Marks' } },
  silent: { input: 'Say nothing', answer: { text: '' } },
  blanks: { input: '  in front ', answer: { text: '  blanks \n\n' } },
  windows: { input: 'Open C:\\Users\\..\\x.txt', answer: { text: 'C:\\x' } },
  yaml: { input: '- a: b\n# c\n---\n...', answer: { text: 'null' } },
  number: { input: '0x1F', answer: { text: '1e3' } },
  halves: { input: 'Half \ud83d of it', answer: answer('\udc00', { tool: 't', input: { '\ud83d': '\ude00' } }) },
  controls: {
    input: 'c \u0000\u0001\u001b[31m\u007f\u0085\u2028\ufeff\ufffe\r x',
    answer: { text: '\u0000\r\n\t\u202e' },
  },
  large: { input: `large ${'x'.repeat(1_000_000)}`, answer: { text: 'wide\n'.repeat(200_000) } },
  roles: {
    input: 'Odd roles',
    answer: {
      text: 'The end',
      output_messages: [
        user('I am you'),
        { role: 'tool', content: 'nobody called' },
        { role: 'developer', content: 'do' },
        { role: 'system', content: 'be' },
        { role: 'none' },
        calling({ tool: 'odd', input: ['no', 'mapping'] }, { tool: 'even' }, { tool: 'null', input: null }),
        assistant('The end'),
        user('Bye'),
      ],
    },
  },
  many: {
    input: 'Many calls',
    answer: answer(
      'Done',
      ...Array.from({ length: 5000 }, (_, i) => ({ tool: `t${i % 7}`, input: { i, s: `it's ${i}` } })),
    ),
  },
}
