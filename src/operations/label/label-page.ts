import { script, script_hash, style, style_hash } from 'assay:label-page'
import * as z from 'zod'
import { parseJson } from '../../lib/json/parse-json.ts'
import { LABELS, LONGEST_NOTE } from '../../model/shown-answer.ts'
import { UserError } from '../../model/user-error.ts'
import type { PageRequest, PageResponse, PageService } from '../serve/page-server.ts'
import type { LabelSession } from './label-session.ts'

/** A label as the page sends it. */
const postedLabelSchema = z.strictObject({ label: z.enum(LABELS), note: z.string().max(LONGEST_NOTE).optional() })

/**
 * Answers the page on which answers are labelled: `GET ` the page, `GET next` the first answer without a label,
 * `GET next/N` the first one after N, `GET answers/N` the Nth, and `POST answers/N` its label.
 */
export function labelPage(session: LabelSession): PageService['answer'] {
  return async ({ method, path, body }) => {
    if (method === 'GET' && path === '') return { html: DOCUMENT, policy: POLICY }
    const [, name = '', digits] = /^(next|answers)(?:\/(\d{1,6}))?$/.exec(path) ?? []
    const number = digits === undefined ? 0 : Number(digits)
    if (method === 'GET' && name === 'next') return nextAnswer(session, number)
    if (name !== 'answers' || !session.page(number)) return undefined
    if (method === 'POST') return writeLabel(session, number, body)
    return { status: 200, json: session.page(number) }
  }
}

/** The next answer without a label; without any, how many are labelled. */
function nextAnswer(session: LabelSession, after: number): PageResponse {
  const number = session.nextAfter(after)
  const { size: of, labelled } = session
  return { status: 200, json: (number !== undefined && session.page(number)) || { of, labelled } }
}

async function writeLabel(session: LabelSession, number: number, body: PageRequest['body']): Promise<PageResponse> {
  const posted = postedLabelSchema.safeParse(parseJson(body))
  if (!posted.success) return { status: 400, json: { error: 'This is not a label.' } }
  try {
    await session.label(number, posted.data.label, posted.data.note)
    return { status: 200, json: { labelled: session.labelled } }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { status: 500, json: { error: error.message } }
  }
}

/** Only our own code runs, and talks only to this server. */
const POLICY = [
  "default-src 'none'",
  `script-src '${script_hash}'`,
  `style-src '${style_hash}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** It contains nothing from the records. */
const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Label answers</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript, which is turned off. Nothing is downloaded from elsewhere.</noscript></div>
<script>${script}</script>
</body>
</html>
`
