import { script, script_hash, style, style_hash } from 'assay:view-page'
import { INLINE_COMMAND } from '../../lib/text/escape.ts'
import { unicodeEscape } from '../../lib/text/unicode.ts'

/** Where a page may load from besides itself. */
interface PageSources {
  readonly images: string
  /** Undefined: it fetches nothing. */
  readonly connections?: string
}

/** Only our own code runs. */
export function contentPolicy({ images, connections }: PageSources): string {
  return [
    "default-src 'none'",
    `script-src '${script_hash}'`,
    `style-src '${style_hash}'`,
    `img-src ${images}`,
    ...(connections === undefined ? [] : [`connect-src ${connections}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

interface DocumentOptions {
  readonly policy: string
  readonly title: string
  /** The only screens that the page has. */
  readonly screens?: 'label' | undefined
}

/** The document before the data; it contains nothing from the records. */
export function documentStart({ policy, title, screens }: DocumentOptions): string {
  return `<!doctype html>
<html lang="en"${screens === undefined ? '' : ` data-screens="${screens}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript, which is turned off. Nothing is downloaded from elsewhere.</noscript></div>
`
}

/** Embeds JSON so that it cannot end the element, start a comment or control a terminal. */
export function dataBlock(id: string, data: unknown): string {
  const json = JSON.stringify(data).replace(UNSAFE, unicodeEscape).replace(INLINE_COMMAND, unicodeEscape)
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

const UNSAFE = /[<>&\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Characters that are written at once. The code of the page is ASCII. */
const CHUNK = 65_536

/** The document after the data. */
export function* documentEnd(): Generator<string> {
  const text = `<script>${script}</script>\n</body>\n</html>\n`
  for (let at = 0; at < text.length; at += CHUNK) yield text.slice(at, at + CHUNK)
}
