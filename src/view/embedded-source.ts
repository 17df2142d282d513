import type { Result } from '../model/result.ts'
import type { PageData } from '../report/html/page-data.ts'
import type { ViewImage } from '../report/html/view-data.ts'
import type { DataSource } from './data-source.ts'

/** Reads the data blocks of a report; undefined if the page has none. */
export function embeddedSource(): DataSource | undefined {
  const data = read('run') as PageData | null
  if (data === null) return undefined
  return {
    only_run: data.run?.run_id ?? 'report',
    run: () => data,
    // Read when a test is opened.
    results: (_, index) => (read(`test-${index}`) ?? []) as Result[],
    image: (_, __, hash) => (read(`image-${hash}`) as ViewImage | null) ?? { problem: 'it is not part of the report' },
  }
}

function read(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null')
}
