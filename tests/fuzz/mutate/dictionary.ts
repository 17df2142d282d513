import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

/** Tokens with a meaning in YAML 1.1, YAML 1.2 or JSON. */
export const SPECIALS = [
  ...['&a ', '*a', '<<: *a\n', '<<: [*a, *a]\n', '!!binary ', '!!str ', '!!set ', '!!int ', '!own ', '!<tag:x> ', '? '],
  ...['|\n', '>-\n', '|2-\n', '|+\n', '\t', '---\n', '...\n', '%YAML 1.2\n', '%TAG ! x:\n', ': ', ':', '- ', '-', '# '],
  ...['"', "'", '\\', '[', ']', '{', '}', ',', '@', '`', '=', '~', '\n', '\r\n', '\r', ' ', '  ', '\\u0000', '\\ud800'],
  ...['0x10', '0o7', '007', '1_000', '.inf', '-.inf', '.nan', '2024-01-01', '12:30:45', 'yes', 'on', 'null', 'true'],
]

/** Strings that often break programs. */
export const HOSTILE = [
  ...['\0', '\ufeff', '\u2028', '\u2029', '\u0085', '\u202e', '\u200d', '\u00a0', '\x1b[2J', '\x07', '\x7f', '\ufffe'],
  ...['👩‍👩‍👧‍👦', '🇩🇪', 'é', 'ﷺ', 'İ', 'ß', 'ſ', '大', '\u0301\u0301\u0301', '\u{10ffff}', '\ud83d', '\udc00'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '${X}',
    '${{ X }}',
    '{{answer}}',
    '{PROMPT}',
    '::error::',
  ],
  ...[
    '../../../..',
    '/etc/passwd',
    '/dev/zero',
    'file:///',
    '**/*',
    'a\\b',
    'C:\\x',
    '.',
    '..',
    '/',
    '</script>',
    '<!--',
  ],
]

export const NUMBERS = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '2',
    '0.5',
    '0.8',
    '1.5',
    '100',
    '1e3',
    '1e308',
    '1e999',
    '-1e999',
    '5e-324',
    '1e21',
    '1e-7',
  ],
  ...['2147483648', '4294967296', '9007199254740993', '123456789012345678901234567890', '0.1', '0.30000000000000004'],
]

/** The keys and enum values of the schemas. */
export const WORDS: readonly string[] = [...new Set(readdirSync(join(ROOT, 'schema')).flatMap(wordsIn))].sort()

function wordsIn(file: string): string[] {
  const words: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties') words.push(...Object.keys(inner))
      if (key === 'const' || key === 'enum') words.push(...[inner].flat().filter(each => typeof each === 'string'))
      collect(inner)
    }
  }
  collect(JSON.parse(readFileSync(join(ROOT, 'schema', file), 'utf8')))
  return words
}
