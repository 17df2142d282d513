// `node open-page.mjs CHROMIUM FILE ACTION` opens a report, performs one action, and prints the cost for the page.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [executablePath, file, what] = process.argv.slice(2)
// Containers have no sandbox and little shared memory.
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
const browser = await chromium.launch({ executablePath, args })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable')

const DOINGS = {
  load: () => page.goto(pathToFileURL(resolve(file)).href),
  filter: () => page.locator('input[type=search]').fill('addition-7'),
  'open a row': () => page.locator('table.rows tbody a').first().click(),
}

if (what !== 'load') await shown(DOINGS.load)
const before = await taskTime()
const start = performance.now()
await shown(DOINGS[what])
const wallMs = performance.now() - start
const cpuMs = ((await taskTime()) - before) * 1000
const memory = await peakMemory()
await browser.close()
process.stderr.write(`page: ${JSON.stringify({ wallMs, cpuMs, memory })}\n`)

/** Performs an action and waits until it is rendered. */
async function shown(doing) {
  await doing()
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** The CPU time of the page in seconds. */
async function taskTime() {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration').value
}

/** The peak memory of the processes of a page. */
async function peakMemory() {
  const whole = await browser.newBrowserCDPSession()
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  const peaks = processInfo.flatMap(({ type, id }) => (type === 'renderer' ? peakOf(id) : []))
  return Math.max(...peaks)
}

function peakOf(id) {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) * 1024
}
