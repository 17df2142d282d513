import { parseJson } from '../../lib/json/parse-json.ts'
import { lazily } from '../../lib/lazily.ts'
import * as z from '../../lib/zod.ts'
import { LABELS, LONGEST_NOTE } from '../../model/shown-answer.ts'
import { UserError } from '../../model/user-error.ts'
import type { PageRequest, PageResponse, PageService } from '../serve/page-server.ts'
import { viewDocument } from '../serve/view-document.ts'
import type { LabelSession } from './label-session.ts'

/** A label as the page sends it. */
const postedLabelSchema = lazily(() =>
  z.strictObject({ label: z.enum(LABELS), note: z.string().max(LONGEST_NOTE).optional() }),
)

/** Answers `assay label --browser`: the page of the view with its screen for labels, and what that asks for below `label/`. */
export function labelView(session: LabelSession): PageService['answer'] {
  const answer = labelPage(session)
  return async request => {
    if (request.method === 'GET' && request.path === '')
      return viewDocument({ title: 'Label answers', screens: 'label' })
    const [, path] = /^label\/(.*)$/s.exec(request.path) ?? []
    return path === undefined ? undefined : answer({ ...request, path })
  }
}

/**
 * Answers the screen for labels: `GET next` the first answer without a label, `GET next/N` the first one after N,
 * `GET answers/N` the Nth, and `POST answers/N` its label.
 */
function labelPage(session: LabelSession): PageService['answer'] {
  return async ({ method, path, body }) => {
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
  const posted = postedLabelSchema().safeParse(parseJson(body))
  if (!posted.success) return { status: 400, json: { error: 'This is not a label.' } }
  try {
    await session.label(number, posted.data.label, posted.data.note)
    return { status: 200, json: { labelled: session.labelled } }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { status: 500, json: { error: error.message } }
  }
}
