import { script, script_hash, style, style_hash } from 'assay:report-page'

/** Nothing runs but our own code, nothing is fetched, nothing is sent. */
const POLICY = [
  "default-src 'none'",
  `script-src '${script_hash}'`,
  `style-src '${style_hash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** What comes before the data. Nothing of the records is in it: they become text in the page, never markup. */
export const PAGE_START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Assay report</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This report shows its tests with JavaScript, which is turned off here. It is part of the file, and nothing is fetched.</noscript></div>
`

export const PAGE_END = `<script>${script}</script>
</body>
</html>
`
