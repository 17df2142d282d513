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
import { BASE, demoAnswers, demoComparison, demoLabel, demoLive, OTHER } from './screenshots/demo-screens.mjs'

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

/** Data of screens that need a server. They are made up, because a trend needs many runs. */
const ANSWERS = [
  [/^\/api\/runs$/, demoRuns],
  [/^\/api\/compare\//, demoComparison],
  [/^\/api\/runs\/([^/]+)\/tests\//, demoAnswers],
  [/\/live$/, demoLive],
  [/^\/label\/next\//, demoLabel],
]

const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'))
const server = createServer(answer)
try {
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  const report = writeReport('targets')
  const suites = writeReport('suites')
  const served = `http://127.0.0.1:${server.address().port}/`
  const PICTURES = [
    { name: 'view-runs', address: served, height: 760 },
    { name: 'view-run', address: report, height: 900 },
    { name: 'view-figures', address: report, height: 900, scroll: '.figures' },
    { name: 'view-matrix', address: `${report}#/run/x/matrix`, height: 760 },
    { name: 'view-test', address: `${report}#/run/x/test/~1`, height: 1200 },
    {
      name: 'view-compare',
      address: `${served}#/compare/${BASE}/${OTHER}`,
      height: 1000,
      click: '.changed-test summary',
    },
    { name: 'view-live', address: `${served}#/run/${OTHER}/live`, height: 760 },
    { name: 'view-label', address: `${served}#/label`, height: 640 },
    {
      name: 'report-test',
      address: `${suites}#test=looks-before-it-answers%40default`,
      height: 1100,
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
  const args = [join(ROOT, 'dist/assay.cjs'), 'eval', ...REPORTS[name], '--quiet', '-o', file]
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  return pathToFileURL(join(folder, file)).href
}

async function answer(request, response) {
  const [pattern, data] = ANSWERS.find(([path]) => path.test(request.url)) ?? []
  if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(await pageText())
  else if (!data) response.writeHead(404).end()
  else {
    const [, run] = pattern.exec(request.url)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data(run)))
  }
}

async function takePictures(pictures) {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  for (const { name, address, height, scroll, click, schemes = ['light', 'dark'] } of pictures) {
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme })
      await page.goto(address)
      await page.locator('main h1').first().waitFor()
      await page.evaluate('new Promise(done => setTimeout(done, 300))')
      if (click) await page.locator(click).first().click()
      if (click) await page.evaluate('new Promise(done => setTimeout(done, 300))')
      if (scroll) await page.locator(scroll).evaluate(element => element.scrollIntoView())
      await page.screenshot({ path: join(IMAGES, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`) })
      await page.close()
    }
  }
  await browser.close()
}
