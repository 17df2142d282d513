import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { LogFolder } from '../../src/log/log-folder.ts'
import { slugOf } from '../../src/log/log-names.ts'
import { itWithPlainPython, readPython } from '../support/external/python.ts'
import { SHORT } from '../support/logs/conversations.ts'
import { folderWith } from '../support/program.ts'

describe('slugOf', () => {
  it.each<[input: string, slug: string]>([
    ['Say hello to Alice', 'say_hello_to_alice'],
    ["What's 2+2?", 'what_s_2_2'],
    ['  Open   Hacker News,\nand summarize!\t', 'open_hacker_news_and_summarize'],
    ['__init__', 'init'],
    ['snake_case__stays', 'snake_case__stays'],
    ['a_?_b', 'a___b'],
    ['-x-', 'x'],
    ['3.14', '3_14'],
    ['O\u2019Brien', 'o_brien'],
    // Other scripts.
    ['写一个爬虫', '写一个爬虫'],
    ['写一个爬虫，谢谢！', '写一个爬虫_谢谢'],
    ['こんにちは、世界', 'こんにちは_世界'],
    ['안녕하세요 세계', '안녕하세요_세계'],
    ['Привет, Мир!', 'привет_мир'],
    ['ΓΕΙΆ ΣΟΥ ΚΌΣΜΕ', 'γειά_σου_κόσμε'],
    ['ΟΔΟΣ', 'οδος'],
    // Combining marks are not word characters.
    ['नमस्ते दुनिया', 'नमस_त_द_न_य'],
    ['สวัสดี ชาวโลก', 'สว_สด_ชาวโลก'],
    ['مرحبا بالعالم؟', 'مرحبا_بالعالم'],
    ['שלום, עולם', 'שלום_עולם'],
    ['Übergröße ÄÖÜ', 'übergröße_äöü'],
    ['cafe\u0301', 'cafe'],
    ['re\u0301sume\u0301', 're_sume'],
    ['café', 'café'],
    ['İstanbul', 'i_stanbul'],
    ['٣ تفاحات', '٣_تفاحات'],
    ['x² + ½', 'x²_½'],
    ['𝒳 𐐀𐐁', '𝒳_𐐨𐐩'],
    ['𠮷野家', '𠮷野家'],
    // Inputs without letters.
    ['', 'default'],
    ['   ', 'default'],
    ['___', 'default'],
    ['?!…—', 'default'],
    ['😀', 'default'],
    ['😀 hi 👋', 'hi'],
    ['\ud800\udfffx\udfff', 'x'],
    // Paths, and characters with a meaning for systems and shells.
    ['../../etc/passwd', 'etc_passwd'],
    ['..', 'default'],
    ['/', 'default'],
    ['C:\\Windows\\system32', 'c_windows_system32'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
    ['.hidden.yaml', 'hidden_yaml'],
    ['a\0b', 'a_b'],
    ['$(rm -rf ~)', 'rm_rf'],
    ['%2e%2e%2f', '2e_2e_2f'],
    ['a\u202eb\u200bc\ufeffd', 'a_b_c_d'],
    // Names that Windows reserves.
    ['con', 'con_'],
    ['CON', 'con_'],
    ['Prn!', 'prn_'],
    ['aux.', 'aux_'],
    ['NUL', 'nul_'],
    ['com1', 'com1_'],
    ['COM¹', 'com¹_'],
    ['lpt9', 'lpt9_'],
    ['com0', 'com0_'],
    ['com10', 'com10'],
    ['console', 'console'],
    ['con air', 'con_air'],
    ['nul.txt', 'nul_txt'],
  ])('%j is %s', (input, slug) => {
    expect(slugOf(input)).toBe(slug)
  })

  it.each<[what: string, input: string, slug: string]>([
    ['50 characters', 'a'.repeat(50), 'a'.repeat(50)],
    ['a word of 200', 'a'.repeat(200), 'a'.repeat(50)],
    ['200 in words', 'word '.repeat(40), `${'word_'.repeat(9)}word`],
    ['words that end at 50', `${'a'.repeat(24)} ${'b'.repeat(25)} c`, 'a'.repeat(24)],
    ['words that end at 51', `${'a'.repeat(24)} ${'b'.repeat(26)} c`, 'a'.repeat(24)],
    ['a word that begins at 50', `${'a'.repeat(49)} bcd`, 'a'.repeat(49)],
    ['a long word after a short one', `go ${'b'.repeat(197)}`, 'go'],
    ['200 of Chinese', '写'.repeat(200), '写'.repeat(50)],
    ['200 of letters that take two units', '𠮷'.repeat(200), '𠮷'.repeat(50)],
    ['200 of Thai in words', 'สวัสดี '.repeat(29), `${'สว_สด_'.repeat(7)}สว_สด`],
    ['200 with underscores before the cut', `${'a'.repeat(45)}______${'b'.repeat(150)}`, `${'a'.repeat(45)}____`],
    ['punctuation alone', '?'.repeat(200), 'default'],
    ['long before and after', `${'!'.repeat(100)}x${'!'.repeat(100)}`, 'x'],
  ])('at most 50 characters: %s', (_, input, slug) => {
    expect(slugOf(input)).toBe(slug)
    expect([...slug].length).toBeLessThanOrEqual(50)
  })
})

/** Logs conversations with these inputs, and returns their names and run numbers. */
async function logged(path: string, inputs: readonly (string | readonly string[])[]): Promise<[string, number][]> {
  const folder = new LogFolder(path, nodeHost(path), expect.unreachable)
  const written: [string, number][] = []
  for (const input of inputs) {
    const turns = [input].flat().map(input => ({ ...(SHORT.turns[0] ?? expect.unreachable()), input }))
    const { name, run } = await folder.add({ ...SHORT, turns })
    written.push([name, run])
  }
  return written
}

/** The reference implementation in Python, whose `\\w` defines the slug. */
const RULE = `
import json, re, sys, unicodedata
def name(text):
    words = re.sub(r'\\W+', '_', text.lower()).strip('_')
    head, _, _ = words[:50].rpartition('_')
    return (words if len(words) <= 50 else head or words[:50]) or 'default'
`

describe('slugOf and Python', () => {
  itWithPlainPython('agree on every character that Python knows', async () => {
    const program = `${RULE}
known = [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ('Cn', 'Cs')]
print(json.dumps([[c, name('a' + chr(c) + 'b')] for c in known]))`
    const known = await readPython<[code: number, slug: string][]>(program, '', '.')
    const others = known.filter(([code, slug]) => slugOf(`a${String.fromCodePoint(code)}b`) !== slug)
    expect(known.length).toBeGreaterThan(100_000)
    expect(others.map(([code, slug]) => `${code.toString(16)} ${slug}`)).toEqual([])
  })

  itWithPlainPython('agree on inputs of all lengths and scripts', async () => {
    const words = [
      'Hello',
      'a_b',
      '__',
      '写',
      'नमस्ते',
      'ΟΔΟΣ',
      '?!',
      '',
      'e\u0301',
      '𠮷',
      'x²',
      '-',
      'İ',
      'Straße',
      '\u2028',
    ]
    const inputs = words.flatMap((word, index) =>
      [1, 3, 7, 11, 24, 25, 26, 49, 50, 51, 200].flatMap(times => [
        word.repeat(times),
        Array.from({ length: times }, (_, n) => words[(index + n * 7) % words.length]).join(' '),
        `${'b'.repeat(times)}_${word.repeat(3)} ${word}`,
      ]),
    )
    const program = `${RULE}print(json.dumps([name(text) for text in json.load(sys.stdin)]))`
    expect(inputs.map(slugOf)).toEqual(await readPython(program, JSON.stringify(inputs), '.'))
  })

  it('handles a million underscores quickly', () => {
    expect(slugOf(`a${'_'.repeat(1_000_000)}b`)).toBe(`a${'_'.repeat(48)}`)
  })
})

describe('names of logs', () => {
  it('are numbered if different inputs have the same slug', async () => {
    const path = folderWith()
    const inputs = ['Say hello', 'say hello', 'Say hello!', 'SAY HELLO', 'say_hello']
    const names = ['say_hello', 'say_hello_2', 'say_hello_3', 'say_hello_4', 'say_hello_5']
    expect(await logged(path, inputs)).toEqual(names.map(name => [name, 1]))
    // Equal inputs find their log again, in any order.
    expect(await logged(path, [...inputs].reverse())).toEqual([...names].reverse().map(name => [name, 2]))
    const folder = new LogFolder(path, nodeHost(path), expect.unreachable)
    for (const [index, name] of names.entries()) {
      const log = await folder.read(name)
      expect(log?.turns.map(({ input, run }) => [input, run])).toEqual([[inputs[index], 2]])
      expect(readdirSync(join(path, name))).toEqual(['run_1.yaml', 'run_2.yaml'])
    }
    expect(readdirSync(path).sort()).toEqual(names.flatMap(name => [name, `${name}.yaml`]).sort())
  })

  it('are found beside an input whose slug ends in a number', async () => {
    const path = folderWith()
    const inputs = ['x 2', 'x', 'X', 'x!', 'X 2', 'x 2 2', 'x_3', 'x?']
    const names = await logged(path, inputs)
    expect(names).toEqual([
      ['x_2', 1],
      ['x', 1],
      ['x_3', 1],
      ['x_4', 1],
      ['x_2_2', 1],
      ['x_2_2_2', 1],
      ['x_3_2', 1],
      ['x_5', 1],
    ])
    expect(await logged(path, inputs)).toEqual(names.map(([name]) => [name, 2]))
  })

  it('distinguish sequences of inputs', async () => {
    const path = folderWith()
    const inputs = [['hi'], ['hi', 'and you?'], ['hi', 'And you?'], ['hi', 'and you?', ''], ['hi', '']]
    const names = await logged(path, inputs)
    expect(names.map(([name]) => name)).toEqual(['hi', 'hi_2', 'hi_3', 'hi_4', 'hi_5'])
    expect(await logged(path, inputs)).toEqual(names.map(([name]) => [name, 2]))
  })

  it('are valid file names for any input', async () => {
    const path = folderWith()
    const inputs = [
      '../../etc/passwd',
      '',
      '/',
      '\0',
      'con',
      'con_',
      'cafe\u0301',
      'café',
      '𠮷'.repeat(200),
      '写一个爬虫',
    ]
    const names = await logged(path, inputs)
    expect(names.map(([name]) => name)).toEqual([
      'etc_passwd',
      'default',
      'default_2',
      'default_3',
      'con_',
      'con__2',
      'cafe',
      'café',
      '𠮷'.repeat(50),
      '写一个爬虫',
    ])
    expect(await logged(path, inputs)).toEqual(names.map(([name]) => [name, 2]))
    expect(readdirSync(path).sort()).toEqual(names.flatMap(([name]) => [name, `${name}.yaml`]).sort())
  })

  it('skip files that are not logs of the same conversation', async () => {
    const others = {
      'x.yaml': 'steps: [1]\n',
      'x_2.yaml': 'turns:\n- {input: other}\n',
      'x_02.yaml': 'turns:\n- {input: x}\n',
      'x_1.yaml': 'turns:\n- {input: x}\n',
      'x_y.yaml': 'turns:\n- {input: x}\n',
    }
    const path = folderWith(others)
    expect(await logged(path, ['x', 'x'])).toEqual([
      ['x_3', 1],
      ['x_3', 2],
    ])
    for (const [name, text] of Object.entries(others)) expect(readFileSync(join(path, name), 'utf8')).toBe(text)
  })
})
