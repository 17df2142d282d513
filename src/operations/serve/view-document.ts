import { contentPolicy, documentEnd, documentStart } from '../../report/html/page-document.ts'
import type { PageResponse } from './page-server.ts'

/** Our own code talks only to this server. */
const POLICY = contentPolicy({ images: "'self' data:", connections: "'self'" })

/** The page of the view, which asks this server for its data. `screens` names the only ones that it has. */
export function viewDocument(options: { readonly title: string; readonly screens?: 'label' }): PageResponse {
  return {
    html: [documentStart({ policy: POLICY, ...options }), ...documentEnd()].join(''),
    policy: `${POLICY}; frame-ancestors 'none'`,
  }
}
