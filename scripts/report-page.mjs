// Bundles code and styles of pages into modules such as `assay:view-page`, which export both as text.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The files of each page: its code and its styles. */
const PAGES = {
  'assay:view-page': ['main.tsx', 'page.css'],
}
const NAMESPACE = 'page'
const FOLDER = join(import.meta.dirname, '../src/view')

/** Plugin for the build of the program. */
export const reportPageForEsbuild = {
  name: 'report-page',
  setup(build) {
    build.onResolve({ filter: /^assay:/ }, ({ path }) => ({ path, namespace: NAMESPACE }))
    build.onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path }) => ({
      contents: await moduleText(path),
      loader: 'js',
    }))
  },
}

/** Plugin for tests, which run the sources. */
export function reportPageForVite() {
  return {
    name: 'report-page',
    resolveId: id => (id in PAGES ? `\0${id}` : undefined),
    load: id => (id.slice(1) in PAGES ? moduleText(id.slice(1)) : undefined),
  }
}

const made = new Map()
function moduleText(name) {
  if (!made.has(name)) made.set(name, makeModule(PAGES[name]))
  return made.get(name)
}

async function makeModule(files) {
  const [script, style] = await Promise.all(files.map(minified))
  return Object.entries({ script, style, script_hash: hashOf(script), style_hash: hashOf(style) })
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`)
    .join('')
}

/** The files that the pages are made from, relative to the project. */
export async function pageInputs() {
  const bundles = await Promise.all(Object.values(PAGES).flat().map(bundle))
  return bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}

/** The page of `assay view`, without its server. */
export async function pageText() {
  const [script, style] = await Promise.all(PAGES['assay:view-page'].map(minified))
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><head>${head}<style>${style}</style></head><body><div id="page"></div><script>${script}</script></body></html>`
}

async function minified(file) {
  const { outputFiles } = await bundle(file)
  // Patterns for HTML and tabs: escapes mean the same in patterns and in strings, and nothing else contains them.
  const text = outputFiles[0].text
    .trim()
    .replace(/<(?=!--)/g, String.raw`\x3c`)
    .replaceAll('\t', String.raw`\t`)
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${file} would end its own element`)
  return text
}

function bundle(file) {
  return build({
    entryPoints: [join(FOLDER, file)],
    absWorkingDir: join(import.meta.dirname, '..'),
    bundle: true,
    metafile: true,
    minify: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  })
}

/** Hash for the content security policy of the page, which allows only this text. */
function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
