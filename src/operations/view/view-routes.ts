import { basename } from 'node:path'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { requestStop } from '../../record/live-files.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import type { ProjectData } from '../../report/html/view-data.ts'
import { InvalidFile } from '../invalid-file.ts'
import { projectCalibrations } from '../project-calibrations.ts'
import type { PageRequest, PageResponse, PageService } from '../serve/page-server.ts'
import { viewDocument } from '../serve/view-document.ts'
import { version } from '../version.ts'
import { BaselineVerdicts } from './baseline-verdict.ts'
import { compareViewed } from './comparison-data.ts'
import { inputImage } from './input-image.ts'
import { liveData } from './live-data.ts'
import { RunStore } from './run-store.ts'
import { RunsList } from './runs-list.ts'
import { TestHistories } from './test-history.ts'

/** The view of a project: what its page and its data are answered with. */
export interface View extends PageService {
  /** Whether there is any run to look at. */
  hasRuns(): Promise<boolean>
  /** Closes the files of runs. */
  close(): void
}

type Answer = PageResponse | undefined
/** `parts` are the decoded segments that the pattern has as `*`. */
type Route = (parts: readonly string[], request: PageRequest) => Promise<Answer> | Answer

export function openView(folders: ProjectFolders, host: Host): View {
  const store = new RunStore(folders.runs_folder, host)
  const list = new RunsList(store, new BaselineVerdicts(folders.settings_folder, host), host)
  const histories = new TestHistories(store, list, host)
  const project: ProjectData = { name: basename(folders.root), assay_version: version }
  const compare: Route = ([base = '', other = '']) =>
    store.use(base, async first => {
      const calibrations = await projectCalibrations(host)
      return store.use(other, second => json(compareViewed([first, second], calibrations)))
    })
  const image: Route = ([id = '', index = '', hash = '']) =>
    store.use(id, run => inputImage(run, { index: rowIndex(index), hash, root: folders.root }, host))
  const stop: Route = async ([id = '']) => {
    const folder = await store.folderOf(id)
    if (folder === undefined) return undefined
    if (await requestStop(folder, host)) return json({}, 202)
    return json({ error: 'No process works on this run.' }, 409)
  }
  const routes: Readonly<Record<string, Route>> = {
    'GET ': () => viewDocument({ title: 'Assay' }),
    'GET api/project': () => json(project),
    'GET api/runs': async () => json(await list.read()),
    'GET api/runs/*': ([id = '']) =>
      store.use(id, async ({ page }) => json(page.data(await projectCalibrations(host)))),
    'GET api/runs/*/tests/*': ([id = '', index = '']) =>
      store.use(id, ({ page }) => jsonOr404(page.results(rowIndex(index)))),
    'GET api/runs/*/tests/*/history': async ([id = '', index = '']) =>
      jsonOr404(await histories.read(id, rowIndex(index))),
    'GET api/runs/*/tests/*/images/*': image,
    'GET api/runs/*/live': ([id = '']) => store.use(id, async run => json(await liveData(run, host))),
    'GET api/compare/*/*': compare,
    'POST api/runs/*/stop': stop,
  }
  return {
    answer: request => answerBy(routes, request),
    hasRuns: async () => (await list.entries()).length > 0,
    close: () => store.close(),
  }
}

/** The longest path that can name something. */
const LONGEST_PATH = 2000

async function answerBy(routes: Readonly<Record<string, Route>>, request: PageRequest): Promise<Answer> {
  const { method, path } = request
  if (path.length > LONGEST_PATH) return undefined
  const segments = path.split('/').map(decoded)
  for (const [pattern, route] of Object.entries(routes)) {
    const parts = pattern.startsWith(`${method} `) ? partsOf(pattern.slice(method.length + 1), segments) : undefined
    if (!parts) continue
    try {
      return await route(parts, request)
    } catch (error) {
      return json({ error: problemText(error) }, 422)
    }
  }
  return undefined
}

/** What cannot be read does not end the server: a file that is not valid, or an error of the system. Throws any other. */
function problemText(error: unknown): string {
  if (error instanceof UserError) return [error.message, error.advice].filter(text => text !== undefined).join(' ')
  if (error instanceof InvalidFile)
    return error.diagnostics.map(({ file, line, message }) => `${file}:${line} ${message}`).join('\n')
  if (error instanceof Error && 'syscall' in error) return error.message
  throw error
}

/** The segments at the stars of a pattern; undefined if it does not match. */
function partsOf(pattern: string, segments: readonly (string | undefined)[]): string[] | undefined {
  const wanted = pattern.split('/')
  if (wanted.length !== segments.length) return undefined
  const parts: string[] = []
  for (const [at, name] of wanted.entries()) {
    const segment = segments[at]
    if (segment === undefined || (name !== '*' && name !== segment)) return undefined
    if (name === '*') parts.push(segment)
  }
  return parts
}

/** A segment of a path; undefined if it is not percent-encoded as a browser does. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The index of a row; −1 for anything else. */
function rowIndex(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : -1
}

function json(value: unknown, status = 200): PageResponse {
  return { status, json: value }
}

function jsonOr404(value: unknown): Answer {
  return value === undefined ? undefined : json(value)
}
