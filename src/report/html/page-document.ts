import { script, script_hash, style, style_hash } from 'assay:report-page'
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

/** The document before the data; it contains nothing from the records. */
export function documentStart(policy: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Assay report</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This report needs JavaScript, which is turned off. The code is part of this file; nothing is downloaded.</noscript></div>
`
}

/** Embeds JSON so that it cannot end the element, start a comment or control a terminal. */
export function dataBlock(id: string, data: unknown): string {
  const json = JSON.stringify(data).replace(UNSAFE, unicodeEscape).replace(INLINE_COMMAND, unicodeEscape)
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

const UNSAFE = /[<>&\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

export const DOCUMENT_END = `<script>${script}</script>
</body>
</html>
`
