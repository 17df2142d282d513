// Takes the screenshots of the guide: runs the examples with the built program, and opens the page in Chromium.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { pageText } from './report-page.mjs'
import { demoRuns } from './screenshots/demo-runs.mjs'

const ROOT = join(import.meta.dirname, '..')
const IMAGES = join(ROOT, 'docs/guide/images')
/** Three targets on the same tests, and suites of every kind. */
const REPORTS = {
  targets: [
    'examples/two-targets',
    '--target',
    'default',
    '--target',
    'smaller',
    '--target',
    'smallest',
    '--trials',
    '3',
  ],
  suites: ['one-failure', 'quick-start', 'tool-use', 'conversation'].map(name => `examples/${name}`),
}

const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'))
const server = createServer(answer)
try {
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  const report = writeReport('targets')
  const suites = writeReport('suites')
  const PICTURES = [
    { name: 'view-runs', address: `http://127.0.0.1:${server.address().port}/`, height: 760 },
    { name: 'view-run', address: report, height: 900 },
    { name: 'view-figures', address: report, height: 900, scroll: '.figures' },
    { name: 'view-matrix', address: `${report}#/run/x/matrix`, height: 760 },
    {
      name: 'report-test',
      address: `${suites}#test=looks-before-it-answers%40default`,
      height: 1320,
      schemes: ['light'],
    },
  ]
  mkdirSync(IMAGES, { recursive: true })
  await takePictures(PICTURES)
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Runs examples, and returns the address of their report. Some fail on purpose. */
function writeReport(name) {
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  const file = `${name}.html`
  const args = [join(ROOT, 'dist/assay.js'), 'eval', ...REPORTS[name], '--quiet', '-o', file]
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  return pathToFileURL(join(folder, file)).href
}

/** The page of runs needs a server; its runs are made up, because a trend needs many. */
async function answer(request, response) {
  if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(await pageText())
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(demoRuns()))
}

async function takePictures(pictures) {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  for (const { name, address, height, scroll, schemes = ['light', 'dark'] } of pictures) {
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme })
      await page.goto(address)
      await page.locator('main h1').first().waitFor()
      await page.evaluate('new Promise(done => setTimeout(done, 300))')
      if (scroll) await page.locator(scroll).evaluate(element => element.scrollIntoView())
      await page.screenshot({ path: join(IMAGES, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`) })
      await page.close()
    }
  }
  await browser.close()
}
