import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import type { Host } from '../../../src/model/host.ts'
import type { Result } from '../../../src/model/result.ts'
import type { RunInfo } from '../../../src/model/run-info.ts'
import { servePage } from '../../../src/operations/serve/page-server.ts'
import { openProjectView } from '../../../src/operations/view/open-view.ts'
import { folderWith } from '../../support/program.ts'
import { resultWith } from '../../support/recorded-run.ts'

/** A project without runs, which no `.assay` above it is used for. */
export function emptyProject(files: Record<string, string | Uint8Array> = {}): string {
  const folder = folderWith(files)
  mkdirSync(join(folder, '.git'))
  return folder
}

interface Written {
  readonly info?: Partial<RunInfo>
  /** Text behind the results. */
  readonly more?: string
  /** How many attempts of the plan have no result. */
  readonly missing?: number
}

/** Writes a run; missing fields are those of a passed test. Returns its folder. */
export function writeRun(
  project: string,
  id: string,
  results: readonly Partial<Result>[],
  { info, more = '', missing = 0 }: Written = {},
): string {
  const folder = join(project, '.assay/runs', id)
  mkdirSync(folder, { recursive: true })
  const full = results.map((result, index) => resultWith({ run_id: id, ...result }, index))
  const attempts: [number, string][] = [
    ...full.map(({ index, attempt_id }): [number, string] => [index, attempt_id]),
    ...Array.from({ length: missing }, (_, at): [number, string] => [full.length + at, `missing-${at}`]),
  ]
  const [, day = '20261117', time = '090000'] = /^(\d{8})-(\d{6})/.exec(id) ?? []
  const started = `${day}T${time}`.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6.000Z')
  const run: RunInfo = {
    schema_version: 1,
    run_id: id,
    started,
    assay_version: '0.1.0',
    node_version: 'v20',
    platform: 'linux',
    root: project,
    suites: [{ name: 'suite', file: 'EVAL.yaml', sha256: 'x' }],
    targets: [],
    options: {},
    plan_id: 'plan',
    total: attempts.length,
    tests: attempts.length,
    total_tests: attempts.length,
    attempts,
    ...info,
  }
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run))
  writeFileSync(join(folder, 'results.jsonl'), `${full.map(result => `${JSON.stringify(result)}\n`).join('')}${more}`)
  return folder
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests check
  readonly json: any
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Sent in place of the path below the token. */
  readonly url?: string
}

export interface ViewServer {
  readonly address: URL
  /** Sends a request to a path below the token, as the page does. */
  send(path: string, sent?: Sent): Promise<Received>
}

/** Serves the view of a project until the test ends. */
export async function startView(project: string, host: Host = nodeHost(project)): Promise<ViewServer> {
  const { view } = await openProjectView({}, host)
  const server = await servePage({ answer: view.answer }, host)
  onTestFinished(async () => {
    await server.close()
    view.close()
  })
  const address = new URL(server.address)
  return { address, send: (path, sent = {}) => sendTo(address, path, sent) }
}

export function sendTo(address: URL, path: string, { method = 'GET', headers, body, url }: Sent): Promise<Received> {
  const { hostname, port, pathname, origin } = address
  const own = method === 'POST' ? { origin } : {}
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: hostname, port, path: url ?? `${pathname}${path}`, method, headers: { ...own, ...headers } },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          const isJson = response.headers['content-type']?.startsWith('application/json')
          const json = isJson ? JSON.parse(body.toString()) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body, json })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
