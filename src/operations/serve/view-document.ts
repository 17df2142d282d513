import { script, script_hash, style, style_hash } from 'assay:view-page'
import type { PageResponse } from './page-server.ts'

/** Only our own code runs, and talks only to this server. */
const POLICY = [
  "default-src 'none'",
  `script-src '${script_hash}'`,
  `style-src '${style_hash}'`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page of the view, which asks this server for its data. `screens` names the only ones that it has. */
export function viewDocument({ title, screens }: { readonly title: string; readonly screens?: 'label' }): PageResponse {
  const only = screens === undefined ? '' : ` data-screens="${screens}"`
  return { policy: POLICY, html: documentOf(title, only) }
}

/** It contains nothing from the records. */
function documentOf(title: string, only: string): string {
  return `<!doctype html>
<html lang="en"${only}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript, which is turned off. Nothing is downloaded from elsewhere.</noscript></div>
<script>${script}</script>
</body>
</html>
`
}
