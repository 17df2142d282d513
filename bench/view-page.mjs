// `npm run bench -- view`: opens the page of 10,000 tests and scrolls its table, compared with a plain table of 100 rows.
// Skipped without Chromium.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { assay } from './programs.mjs'
import { linesOf } from './suite.mjs'

const CHROMIUM = '/usr/bin/chromium'
const ROUNDS = 7
const LIMITS = { 'first paint': 12, 'a scrolled screen': 4 }

if (existsSync(CHROMIUM)) await benchPages()
else process.stdout.write('view: skipped, since there is no Chromium\n')

async function benchPages() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-view-'))
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  const browser = await chromium.launch({ executablePath: CHROMIUM, args })
  try {
    const files = { ours: reportOf(folder, 10_000), baseline: plainTable(folder, 100) }
    const times = { ours: [], baseline: [] }
    // Alternate, so that other load slows down both.
    for (let round = 0; round < ROUNDS; round++)
      for (const [side, file] of Object.entries(files)) times[side].push(await opened(browser, file))
    for (const [what, limit] of Object.entries(LIMITS)) print(what, limit, times)
    process.stdout.write(
      `view: code and styles ${(codeSize(reportOf(folder, 1)) / 1000).toFixed(1)} kB compressed, limit 120\n`,
    )
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}

function print(what, limit, times) {
  const [ours, baseline] = [times.ours, times.baseline].map(all => median(all.map(each => each[what])))
  const ratio = ours / baseline
  const mark = ratio <= limit ? '' : '  TOO SLOW'
  process.stdout.write(
    `view: 10,000 tests, ${what}: ${ours.toFixed(1)} ms, ${ratio.toFixed(2)} × a plain table of 100 rows, limit ${limit}${mark}\n`,
  )
  if (mark !== '') process.exitCode = 1
}

/** Opens a page, and scrolls through the table by one screen in each frame. */
async function opened(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(pathToFileURL(file).href)
  const times = await page.evaluate(`new Promise(done => {
    const scroller = document.querySelector('.scroller') ?? document.scrollingElement
    const frames = []
    let last
    const step = now => {
      if (last !== undefined) frames.push(now - last)
      last = now
      scroller.scrollTop = (frames.length % 2 === 0 ? 1 : 3) * 700 + frames.length * 40
      if (frames.length < 90) requestAnimationFrame(step)
      else done({
        'first paint': performance.getEntriesByName('first-contentful-paint')[0].startTime,
        'a scrolled screen': frames.reduce((sum, each) => sum + each, 0) / frames.length,
      })
    }
    requestAnimationFrame(step)
  })`)
  await page.close()
  return times
}

function reportOf(folder, count) {
  const home = join(folder, String(count))
  const file = join(home, 'report.html')
  if (existsSync(file)) return file
  execFileSync('mkdir', ['-p', home])
  writeFileSync(join(home, 'many.jsonl'), linesOf(count))
  const targets = [{ name: 'default', provider: 'mock', response: 'The sum is 42, if you please.' }]
  writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets }))
  // Most of the tests fail.
  spawnSync(process.execPath, assay('eval', join(home, 'many.jsonl'), '--quiet', '-o', file), { cwd: home })
  return file
}

function plainTable(folder, count) {
  const row = (_, index) =>
    `<tr><td>fail</td><td>addition-${index}</td><td>0.00</td><td>does not contain "${index}"</td></tr>`
  const file = join(folder, 'plain.html')
  const rows = Array.from({ length: count }, row).join('\n')
  writeFileSync(file, `<!doctype html><title>Plain</title><style>td{padding:16px}</style><table>${rows}</table>`)
  return file
}

/** The page without its data. */
function codeSize(file) {
  const text = readFileSync(file, 'utf8')
  return gzipSync(text.replace(/<script type="application\/json"[^>]*>.*?<\/script>/gs, '')).length
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
