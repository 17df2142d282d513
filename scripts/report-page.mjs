// Bundles code and styles of the HTML report into the module `assay:report-page`, which exports both as text.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'

const NAME = 'assay:report-page'
const FOLDER = join(import.meta.dirname, '../src/report/html/page')

/** Plugin for the build of the program. */
export const reportPageForEsbuild = {
  name: 'report-page',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: NAME }))
    build.onLoad({ filter: /./, namespace: NAME }, async () => ({ contents: await moduleText(), loader: 'js' }))
  },
}

/** Plugin for tests, which run the sources. */
export function reportPageForVite() {
  return {
    name: 'report-page',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? moduleText() : undefined),
  }
}

let made
function moduleText() {
  made ??= makeModule()
  return made
}

async function makeModule() {
  const [script, style] = await Promise.all([minified('main.ts'), minified('page.css')])
  return Object.entries({ script, style, script_hash: hashOf(script), style_hash: hashOf(style) })
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`)
    .join('')
}

async function minified(file) {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, file)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  })
  const text = outputFiles[0].text.trim()
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${file} would end its own element`)
  return text
}

/** Hash for the content security policy of the page, which allows only this text. */
function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
