import fc from 'fast-check'

/** Texts that a writer or parser of YAML, JSON or Python may misread. */
const HOSTILE = [
  ...['', ' ', '\n', '\t', '\r', '\r\n', '\0', '\x07', '\x1b[31m', '\x7f', '\x85', '\xa0', '\xad', '\u2028', '\u2029'],
  ...['\ufeff', '\ufffe', '\uffff', '\u200b', '\u202e', '\u3000', '\ud800', '\udbff', '\udc00', '\udfff', '\u{e0001}'],
  ...[
    '😀',
    '👩‍👩‍👧‍👦',
    '你好',
    'こんにちは',
    'Grüße',
    'e\u0301',
    'नमस्ते',
    'สวัสดี',
    'مرحبا',
    '𝒳',
    '\u{10ffff}',
    '\u{1fffe}',
  ],
  ...["'", '"', "it's", '"so"', `'"`, '\\', '\\n', '\\u0041', '`', '%', '@', '!', '&a', '*a', '|', '>', '?', ':', '#'],
  ...['- a', '-', '---', '...', '--- |', '# x', ' #', 'a: b', 'a:', '? a', ': ', '[', ']', '{', '}', ',', '%YAML 1.1'],
  ...['~', 'null', 'Null', 'true', 'yes', 'no', 'on', 'off', 'y', 'N', '=', '<<', '!!str', '!', '.', '..', '@at', '`x'],
  ...[
    '1',
    '-1',
    '+1',
    '1_000',
    '0x1',
    '0o7',
    '010',
    '0b1',
    '1e3',
    '1.5',
    '1.',
    '.5',
    '.inf',
    '-.INF',
    '.nan',
    '190:20',
  ],
  ...['2025-01-01', '2025-01-01 12:30:45', '2001-12-14t21:59:43.10-05:00', '12:30', '12:30:45', '08', '1:2', '0', '-0'],
  ...[
    'a\nb',
    'a\n\nb',
    'a\n b',
    ' a\nb',
    '\na',
    'a\n',
    'a\n\n',
    'a\n \n',
    'a \nb',
    'a\tb\n\tc',
    '\n\n',
    ' \n ',
    'a\rb',
  ],
  ...['a  b', ' a', 'a ', '  a  ', 'word '.repeat(30), 'Say hello to Alice'],
]

/** Hostile texts, their combinations, and random strings. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...HOSTILE), { minLength: 2, maxLength: 5 }).map(parts => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...HOSTILE), { minLength: 2, maxLength: 5 }).map(parts => parts.join('\n')),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
)

/** The same, and all code units, including unassigned and lone ones. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.nat({ max: 0xffff }), { maxLength: 8 }).map(units => String.fromCharCode(...units)),
  },
)

/** Any JSON value, as in the arguments of a tool. */
export function jsonOf(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const number = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(-0, 0.1, 1e-5, 1.25e-5, 0.0001, 1e-7, 5e-324, 1e16, 1e20, 1e21, 1.5e300, 123456.789),
  )
  const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null))
  return fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value
}
