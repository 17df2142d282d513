import { contentPolicy, DOCUMENT_END, dataBlock, documentStart } from '../../report/html/page-document.ts'
import type { PageResponse } from '../serve/page-server.ts'

/** Our own code talks only to this server. */
const POLICY = contentPolicy({ images: "'self' data:", connections: "'self'" })

/** The page of the view. It contains nothing from the records: its code fetches them. */
export const viewDocument: PageResponse = {
  html: `${documentStart(POLICY)}${dataBlock('run', null)}${DOCUMENT_END}`,
  policy: `${POLICY}; frame-ancestors 'none'`,
}
