// Takes the screenshots of the guide: runs the examples with the built program and opens the report in Chromium.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = join(import.meta.dirname, '..')
const IMAGES = join(ROOT, 'docs/guide/images')
const SUITES = ['one-failure', 'quick-start', 'tool-use', 'conversation']
const PICTURES = [
  { name: 'report', view: '', height: 1440 },
  { name: 'report-test', view: '#test=looks-before-it-answers%40default', height: 1320 },
]

const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'))
try {
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  const suites = SUITES.map(name => `examples/${name}`)
  const args = [join(ROOT, 'dist/assay.js'), 'eval', ...suites, '--quiet', '--trials', '2', '-o', 'report.html']
  // One of the examples fails on purpose.
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  mkdirSync(IMAGES, { recursive: true })
  await takePictures(pathToFileURL(join(folder, 'report.html')).href)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function takePictures(address) {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  for (const { name, view, height } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1200, height }, colorScheme: 'light' })
    await page.goto(`${address}${view}`)
    await page.screenshot({ path: join(IMAGES, `${name}.png`) })
  }
  await browser.close()
}
