// Takes the picture of a run in a terminal: runs a suite with the built program in tmux, and draws the screen in Chromium.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { palettePng } from './palette-png.mjs'

const ROOT = join(import.meta.dirname, '..')
const COLUMNS = 92
const ROWS = 36

const ANSWERS = [
  ['Where is order A-17?', '{"order": "A-17", "status": "sent", "items": 2}'],
  ['Cancel order A-17.', 'Order A-17 was cancelled. The refund arrives within 5 days.'],
  ['How long can I return it?', 'You can send it back within two weeks.'],
]

const SUITE = {
  name: 'support',
  tests: [
    {
      id: 'greets-by-name',
      criteria: 'Greets the customer',
      input: 'Hello, I am Alice!',
      assert: [{ type: 'contains', value: 'Alice' }],
    },
    {
      id: 'finds-the-order',
      criteria: 'Reports the state of the order',
      input: 'Where is order A-17?',
      expected_output: { order: 'A-17', status: 'shipped', items: 2 },
      assert: [{ type: 'field_accuracy', fields: [{ path: 'status', required: true }, { path: 'items' }] }],
    },
    {
      id: 'cancels-an-order',
      criteria: 'Confirms in the words of the policy',
      input: 'Cancel order A-17.',
      assert: [{ type: 'equals', value: 'Order A-17 is cancelled. The refund arrives within 5 days.' }],
    },
    {
      id: 'knows-the-return-policy',
      criteria: 'Names the 30 days',
      input: 'How long can I return it?',
      assert: [{ type: 'contains', value: '30 days', required: true }],
    },
    ...['opening-hours', 'shipping-cost', 'gift-cards', 'warranty'].map(id => ({
      id,
      criteria: 'Answers politely',
      input: `A question about ${id}`,
      assert: [{ type: 'contains', value: 'happy to help' }],
    })),
  ],
}

const TARGETS = {
  targets: [
    {
      name: 'default',
      provider: 'mock',
      responses: [
        { pattern: 'Alice', response: 'Hello, Alice!' },
        ...ANSWERS.map(([question, response]) => ({ pattern: question.slice(0, -1), response })),
        { pattern: 'question', response: 'I am happy to help with that.' },
      ],
    },
  ],
}

const STYLES = { 1: 'strong', 2: 'faint', 31: 'red', 32: 'green', 33: 'yellow' }
const COLOURS = ['red', 'green', 'yellow']
/** What each code ends: a colour ends the one before it. */
const ENDS = { 0: Object.values(STYLES), 22: ['strong', 'faint'], 31: COLOURS, 32: COLOURS, 33: COLOURS, 39: COLOURS }

const folder = mkdtempSync(join(tmpdir(), 'assay-picture-'))
const tmux = (...args) => execFileSync('tmux', ['-S', join(folder, 'tmux.sock'), ...args], { encoding: 'utf8' })
try {
  // JSON is YAML.
  writeFileSync(join(folder, 'EVAL.yaml'), JSON.stringify(SUITE, null, 2))
  writeFileSync(join(folder, 'targets.yaml'), JSON.stringify(TARGETS, null, 2))
  await drawPicture(await screenOf(`${process.execPath} ${join(ROOT, 'dist/assay.cjs')} eval --trials 3`))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The screen after a command, with its colours. */
async function screenOf(command) {
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), '-c', folder, 'sh')
  try {
    tmux('send-keys', '-l', `unset CI; PS1=; clear; ${command}; echo end-of-run`)
    tmux('send-keys', 'Enter')
    for (;;) {
      const screen = tmux('capture-pane', '-p', '-e', '-S', '-')
      if (/^end-of-run$/m.test(screen)) return screen.replace(/\n?end-of-run\s*$/, '')
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  } finally {
    tmux('kill-server')
  }
}

/** The text as HTML, with a class for each style. */
function htmlOf(screen) {
  const styles = new Set()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
  const parts = screen.split(/\u001b\[([\d;]*)m/)
  return parts
    .map((part, index) => {
      if (index % 2 === 0)
        return `<span class="${[...styles].join(' ')}">${part.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</span>`
      for (const code of (part || '0').split(';').map(Number)) {
        for (const end of ENDS[code] ?? []) styles.delete(end)
        if (STYLES[code]) styles.add(STYLES[code])
      }
      return ''
    })
    .join('')
}

async function drawPicture(screen) {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-lcd-text'] })
  const page = await browser.newPage({ viewport: { width: 860, height: 600 } })
  const style = `body { margin: 0; background: #fff } pre { display: inline-block; margin: 0; padding: 16px 20px; font: 13px/1.35 'DejaVu Sans Mono', monospace; color: #24292f; background: #fff; border: 1px solid #ddd; border-radius: 6px; min-width: ${COLUMNS}ch }
    .strong { font-weight: bold } .faint { color: #6e7781 } .red { color: #b3261e } .green { color: #116329 } .yellow { color: #7d4e00 }`
  await page.setContent(`<style>${style}</style><pre>${htmlOf(`$ assay eval --trials 3\n${screen}`)}</pre>`)
  mkdirSync(join(ROOT, 'docs/guide/images'), { recursive: true })
  const screenshot = await page.locator('pre').screenshot()
  const image = await page.evaluate(readPixels, `data:image/png;base64,${screenshot.toString('base64')}`)
  const pixels = Buffer.from(image.pixels, 'base64')
  writeFileSync(join(ROOT, 'docs/guide/images/terminal.png'), palettePng({ ...image, pixels }))
  await browser.close()
}

/** Runs in the browser, which can decode the picture. */
async function readPixels(address) {
  const bitmap = await createImageBitmap(await (await fetch(address)).blob())
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  let bytes = ''
  for (let at = 0; at < data.length; at += 8192) bytes += String.fromCharCode(...data.subarray(at, at + 8192))
  return { width, height, pixels: btoa(bytes) }
}
