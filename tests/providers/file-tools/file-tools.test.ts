import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { fileToolsIn } from '../../support/judges/file-tools.ts'
import { folderWith } from '../../support/program.ts'

const MOST = 30_000

describe('list', () => {
  it('lists folders with a slash and files with their size, in order', async () => {
    const { list } = fileToolsIn(folderWith({ 'b.txt': '12345', 'a/deep/c.txt': '', '.hidden': 'x', 'z z.txt': 'é' }))
    const text = '.hidden (1 byte)\na/\nb.txt (5 bytes)\nz z.txt (2 bytes)'
    for (const path of [undefined, '', '.', './', 'a/..']) expect(await list(path)).toBe(text)
    expect(await list('a')).toBe('deep/')
    expect(await list('a/deep/')).toBe('c.txt (0 bytes)')
  })

  it('skips large folders such as `node_modules`, unless they are named', async () => {
    const { list } = fileToolsIn(
      folderWith({ '.git/HEAD': 'ref', 'node_modules/x/index.js': '', '.assay/runs/latest': 'r', a: '' }),
    )
    expect(await list()).toBe('a (0 bytes)\n[skipped: .assay/, .git/, node_modules/]')
    expect(await list('.git')).toBe('HEAD (3 bytes)')
    expect(await list('node_modules')).toBe('x/')
  })

  it('shows the targets of links, and marks special files', async () => {
    const folder = folderWith({ 'src/a.js': '12' })
    symlinkSync('src', join(folder, 'folder'))
    symlinkSync('src/a.js', join(folder, 'file'))
    symlinkSync('/etc/hosts', join(folder, 'out'))
    symlinkSync('nowhere', join(folder, 'lost'))
    symlinkSync('ring', join(folder, 'ring'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect((await fileToolsIn(folder).list()).split('\n')).toEqual([
      'file (a link to src/a.js)',
      'folder/ (a link to src)',
      'lost (a broken link)',
      'out (a link to outside the folder, not followed)',
      'pipe (neither a file nor a folder)',
      'ring (a broken link)',
      'src/',
    ])
  })

  it('quotes names with line breaks', async () => {
    const folder = folderWith({ 'x\nsecret.txt (1 byte)': '1', 'tab\tquote"': '', ' blank': '' })
    expect((await fileToolsIn(folder).list()).split('\n')).toEqual([
      '" blank" (0 bytes)',
      '"tab\\tquote\\"" (0 bytes)',
      '"x\\nsecret.txt (1 byte)" (1 byte)',
    ])
    expect(await fileToolsIn(folder).read('x\nsecret.txt (1 byte)')).toBe('1')
  })

  it('cuts a huge folder with a note', async () => {
    const folder = folderWith()
    for (let index = 0; index < 3000; index++) writeFileSync(join(folder, `${index}`.padStart(20, '0')), '')
    const text = await fileToolsIn(folder).list()
    const lines = text.split('\n')
    expect(text.length).toBeLessThanOrEqual(MOST + 200)
    expect(lines.length).toBeGreaterThan(500)
    expect(lines.at(-1)).toBe(`[cut: ${3000 - (lines.length - 1)} more of 3000]`)
  })

  it('reports an empty folder, a file and a missing path', async () => {
    const folder = folderWith({ a: '' })
    mkdirSync(join(folder, 'empty'))
    const { list } = fileToolsIn(folder)
    expect(await list('empty')).toBe('[the folder is empty]')
    expect(await list('a')).toBe('`a` is a file, not a folder: use `read`')
    expect(await list('b')).toBe('`b` was not found in the folder')
    expect(await list('a/b')).toBe('`a/b` was not found in the folder')
  })
})

describe('read', () => {
  it('returns the text of a file unchanged', async () => {
    const text = '\ufeffone\r\n\ttwo  \n\nü 😀 \u2028 end'
    const { read } = fileToolsIn(folderWith({ 'a/b.txt': text, 'line.txt': 'one\n', 'empty.txt': '' }))
    expect(await read('a/b.txt')).toBe(text)
    expect(await read('./a/../a//b.txt')).toBe(text)
    expect(await read('line.txt')).toBe('one')
    expect(await read('empty.txt')).toBe('[the file is empty]')
  })

  it.each([
    [{ offset: 3, limit: 2 }, 'l3\nl4\n[lines 3 to 4 of 10; continue with offset 5]'],
    [{ offset: 9 }, 'l9\nl10'],
    [{ limit: 1 }, 'l1\n[line 1 of 10; continue with offset 2]'],
    [{ offset: 0, limit: 0 }, Array.from({ length: 10 }, (_, index) => `l${index + 1}`).join('\n')],
    [{ offset: 11 }, '[the file has 10 lines]'],
    [{ offset: 10, limit: 5 }, 'l10'],
  ])('returns a range of lines: %j', async (more, text) => {
    const lines = Array.from({ length: 10 }, (_, index) => `l${index + 1}\n`).join('')
    expect(await fileToolsIn(folderWith({ a: lines })).read('a', more)).toBe(text)
  })

  it('cuts a long file between lines, with the offset to continue', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`)
    const { read } = fileToolsIn(folderWith({ a: lines.join('\n') }))
    const output = (await read('a')).split('\n')
    const last = output.length - 1
    expect(output.slice(0, -1)).toEqual(lines.slice(0, last))
    expect(output.at(-1)).toBe(`[lines 1 to ${last} of 5000; continue with offset ${last + 1}]`)
    expect(output.join('\n').length).toBeLessThanOrEqual(MOST + 200)
    expect(await read('a', { offset: last + 1 })).toMatch(new RegExp(`^line ${last + 1}\n`))
  })

  it('cuts a long line, never inside a character', async () => {
    const { read } = fileToolsIn(folderWith({ a: `x${'😀'.repeat(50_000)}\nend` }))
    const [line = '', ...notes] = (await read('a')).split('\n')
    expect(line).toBe(`x${'😀'.repeat((MOST - 4) / 2)}…`)
    expect(notes).toEqual([`[line 1 is cut: it has 100001 characters]`, '[line 1 of 2; continue with offset 2]'])
  })

  it.each<[string, Uint8Array]>([
    ['zeros', new Uint8Array([104, 105, 0, 106])],
    ['invalid UTF-8', new Uint8Array([0xff, 0xfe, 0x80])],
    ['a picture', Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64')],
  ])('reports that a file is not text: %s', async (_, bytes) => {
    expect(await fileToolsIn(folderWith({ 'a.bin': bytes })).read('a.bin')).toBe(
      `\`a.bin\` is not a text file (${bytes.length} bytes)`,
    )
  })

  it('reads only the beginning of a huge file, with a note', async () => {
    const folder = folderWith({ 'big.log': `${'é'.repeat(4_999_999)}\nx` })
    truncateSync(join(folder, 'big.log'), 200_000_000)
    expect(await fileToolsIn(folder).read('big.log')).toMatch(/^é+…\n\[line 1 is cut: it has \d+ characters\]\n/)
    writeFileSync(join(folder, 'many.log'), 'ab\n'.repeat(4_000_000))
    expect((await fileToolsIn(folder).read('many.log', { offset: 1_666_660 })).split('\n')).toEqual([
      ...Array.from({ length: 8 }, () => 'ab'),
      '[only the first 5000000 bytes of 12000000 can be read]',
    ])
  })

  it('reports files that cannot be read', async () => {
    const folder = folderWith({ 'a/b': '', shut: 'x' })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const { read } = fileToolsIn(folder)
    expect(await read('a')).toBe('`a` is a folder, not a file: use `list`')
    expect(await read('')).toBe('`` is a folder, not a file: use `list`')
    expect(await read('pipe')).toBe('`pipe` is neither a file nor a folder')
    expect(await read('c')).toBe('`c` was not found in the folder')
    expect(await read('x'.repeat(5000))).toMatch(/^cannot open `x+.*: ENAMETOOLONG$/)
    chmodSync(join(folder, 'shut'), 0)
    // Root can read this file.
    expect(await read('shut')).toBe(process.getuid?.() === 0 ? 'x' : 'cannot open `shut`: EACCES')
  })
})

describe('search', () => {
  const FILES = {
    'README.md': 'Hello\nthe answer is 42\n',
    'src/a.js': 'const answer = 42\r\n// (answer)\n',
    'src/.env.example': 'ANSWER=42',
    '.git/config': 'answer = 42',
    'src/node_modules/x.js': 'answer = 42',
    'pic.bin': 'answer\0 = 42',
  }

  it('finds text in the files below, with file and line', async () => {
    const { search } = fileToolsIn(folderWith(FILES))
    expect((await search('answer')).split('\n')).toEqual([
      'README.md:2: the answer is 42',
      'src/a.js:1: const answer = 42',
      'src/a.js:2: // (answer)',
    ])
    expect(await search('(answer)')).toBe('src/a.js:2: // (answer)')
    expect(await search('answer', { path: 'README.md' })).toBe('README.md:2: the answer is 42')
    expect(await search('answer', { path: '.git' })).toBe('.git/config:1: answer = 42')
    expect(await search('nothing like it')).toBe('[no matches in 3 files]')
  })

  it('finds regular expressions, and reports invalid ones', async () => {
    const { search } = fileToolsIn(folderWith(FILES))
    expect(await search('^const \\w+|=\\d', { regex: true, path: 'src' })).toBe(
      'src/.env.example:1: ANSWER=42\nsrc/a.js:1: const answer = 42',
    )
    expect(await search('(', { regex: true })).toBe('this is not a regular expression: unterminated group')
  })

  it('stops a pattern that backtracks', async () => {
    const lines = `${'a'.repeat(50_000)}!\n`.repeat(500)
    const { search } = fileToolsIn(folderWith({ a: lines, b: 'aa' }))
    expect(await search('(a+)+\\1$', { regex: true })).toBe('[stopped: the pattern takes too long; try a simpler one]')
  })

  it('cuts long lines and many matches, with a note', async () => {
    const { search } = fileToolsIn(folderWith({ a: `${'x'.repeat(1000)}\n`.repeat(500) }))
    const lines = (await search('x')).split('\n')
    expect(lines[0]).toBe(`a:1: ${'x'.repeat(300)}…`)
    expect(lines.at(-1)).toBe('[cut: too many matches; use a narrower query, or search one folder]')
    expect(lines.join('\n').length).toBeLessThanOrEqual(MOST + 200)
  })

  it('follows no links, so a cycle does no harm', async () => {
    const folder = folderWith({ 'src/a.txt': 'needle' })
    const outside = folderWith({ 'b.txt': 'needle' })
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(join(outside, 'b.txt'), join(folder, 'b.txt'))
    symlinkSync('.', join(folder, 'src/ring'))
    expect(await fileToolsIn(folder).search('needle')).toBe('src/a.txt:1: needle')
  })

  it('searches the beginning of huge files, with a note', async () => {
    const folder = folderWith({ 'big.log': 'needle\n', 'a.txt': 'needle' })
    truncateSync(join(folder, 'a.txt'), 6)
    writeFileSync(join(folder, 'big.log'), `needle\n${'hay\n'.repeat(1_500_000)}needle\n`)
    expect((await fileToolsIn(folder).search('needle')).split('\n')).toEqual([
      'a.txt:1: needle',
      'big.log:1: needle',
      '[only the first 5000000 bytes of large files were searched: big.log]',
    ])
  })

  it('stops at its time limit, with the matches so far', async () => {
    let time = 0
    const tools = fileToolsIn(folderWith({ a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' }), {
      clock: {
        ...nodeHost().clock,
        elapsed: () => {
          time += 1500
          return time
        },
      },
    })
    expect(await tools.search('x')).toBe('a:1: x\n[stopped after 10 s; search one folder, or use a simpler query]')
  })

  it('stops in the middle of a file, and yields to other work', async () => {
    let time = 0
    let breaths = 0
    const tools = fileToolsIn(folderWith({ a: 'x\n'.repeat(1000) }), {
      clock: {
        ...nodeHost().clock,
        elapsed: () => {
          time += 100
          return time
        },
        yieldToEvents: async () => void breaths++,
      },
    })
    const lines = (await tools.search('x')).split('\n')
    expect(lines.length).toBeLessThan(101)
    expect(lines.at(-1)).toBe('[stopped after 10 s; search one folder, or use a simpler query]')
    expect(breaths).toBeGreaterThan(lines.length / 3)
  })

  it('stops among folders without files', async () => {
    const folder = folderWith()
    mkdirSync(join(folder, Array.from({ length: 200 }, () => 'f').join('/')), { recursive: true })
    let time = 0
    let listed = 0
    const world = nodeHost()
    const tools = fileToolsIn(folder, {
      clock: {
        ...world.clock,
        elapsed: () => {
          time += 1000
          return time
        },
      },
      files: {
        ...world.files,
        listEntries: path => {
          listed++
          return world.files.listEntries(path)
        },
      },
    })
    expect(await tools.search('x')).toBe('[stopped after 10 s; search one folder, or use a simpler query]')
    expect(listed).toBeLessThan(20)
  })

  it('stops when the run is aborted', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(fileToolsIn(folderWith({ a: 'x' }), {}, stop.signal).search('x')).rejects.toThrow('enough')
  })
})
