import { join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping } from '../../lib/objects.ts'
import { sha256 } from '../../lib/sha256.ts'
import { isSystemError } from '../../lib/system-error.ts'
import type { Host } from '../../model/host.ts'
import { type RecordedCall, recordedCallSchema } from '../../model/recorded-call.ts'
import { UserError } from '../../model/user-error.ts'

/** The folder in a folder with mocks that has the recorded calls. */
const REPLAY = '.replay'

type Tool = Readonly<Record<string, unknown>>

/** What became of a call: a new recording, the same as before, or another answer than before. */
export type Written = 'new' | 'same' | 'changed'

/** The recordings of one server in a folder with mocks. What is in the folder already is kept. */
export class MockFolder {
  /** The folder with the recorded calls. */
  readonly recordings: string
  readonly #toolsFile: string
  readonly #files: Host['files']
  /** File names and hashes of answers, by tool and input. */
  readonly #known = new Map<string, { readonly file: string; answer: string }>()
  /** The tool that has a file name, by the name in lower case: some file systems do not distinguish case. */
  readonly #owners = new Map<string, string>()

  private constructor(folder: string, server: string, files: Host['files']) {
    this.recordings = join(folder, REPLAY, server)
    this.#toolsFile = join(folder, server, '_tools.json')
    this.#files = files
  }

  /** Opens a folder, which may exist. Throws `UserError` if it cannot be read or made. */
  static async open(folder: string, server: string, files: Host['files']): Promise<MockFolder> {
    const mocks = new MockFolder(folder, server, files)
    try {
      await files.makeFolder(folder)
      await requireOneSpelling(folder, server, files)
      await files.removeLeftovers(mocks.recordings)
      await mocks.#readTools()
      for (const name of await files.listNames(mocks.recordings)) await mocks.#readKnown(name)
    } catch (error) {
      if (!isSystemError(error)) throw error
      throw new UserError(
        `The folder ${folder} cannot be used for mocks: ${error.message}`,
        'Name another folder with --out.',
      )
    }
    return mocks
  }

  /** Adds tools to the list of tools. A tool with the same name is replaced. */
  async writeTools(tools: readonly Tool[]): Promise<void> {
    const before = await this.#readTools()
    const newer = new Map(tools.map(tool => [tool['name'], tool]))
    const kept = before.map(tool => newer.get(tool['name']) ?? tool)
    const names = new Set(before.map(tool => tool['name']))
    const merged = [...kept, ...[...newer.values()].filter(tool => !names.has(tool['name']))]
    if (before.length > 0 && canonicalJson(merged) === canonicalJson(before)) return
    await this.#files.write(this.#toolsFile, `${JSON.stringify({ tools: merged }, null, 2)}\n`)
  }

  /** Writes a recorded call, unless the same answer is recorded already. */
  async writeCall(tool: string, recording: RecordedCall): Promise<Written> {
    const key = keyOf(tool, recording.input)
    const known = this.#known.get(key)
    const answer = answerHash(recording)
    if (known?.answer === answer) return 'same'
    const file = known?.file ?? this.#fileName(tool, recording.input)
    await this.#files.write(join(this.recordings, file), `${JSON.stringify(recording, null, 2)}\n`)
    this.#remember(key, tool, file, answer)
    return known ? 'changed' : 'new'
  }

  #fileName(tool: string, input: unknown): string {
    const name = `${tool}-${sha256(canonicalJson(input))}.json`
    const owner = this.#owners.get(name.toLowerCase())
    return owner === undefined || owner === tool ? name : `${tool}-${sha256(canonicalJson([tool, input]))}.json`
  }

  #remember(key: string, tool: string, file: string, answer: string): void {
    this.#known.set(key, { file, answer })
    this.#owners.set(file.toLowerCase(), tool)
  }

  /** Reads a recording, whatever its hash is made of, so that another answer to the same input replaces it. */
  async #readKnown(file: string): Promise<void> {
    const [, tool] = /^(.+)-[0-9a-f]{64}\.json$/s.exec(file) ?? []
    if (tool === undefined) return
    const text = new TextDecoder().decode(await this.#files.read(join(this.recordings, file)))
    const { data } = recordedCallSchema().safeParse(parseJson(text))
    if (data) this.#remember(keyOf(tool, data.input), tool, file, answerHash(data))
  }

  async #readTools(): Promise<readonly Tool[]> {
    const stat = await this.#files.stat(this.#toolsFile)
    if (!stat) return []
    const list = parseJson(new TextDecoder().decode(await this.#files.read(this.#toolsFile)))
    if (isMapping(list) && Array.isArray(list['tools'])) return list['tools'].filter(isMapping)
    throw new UserError(
      `${this.#toolsFile} is not a list of tools: it must be JSON with \`tools\`.`,
      'Correct or remove the file: the tools of the server are added to it.',
    )
  }
}

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${sha256(canonicalJson(input))}`
}

function answerHash({ output, verdict, result, error }: RecordedCall): string {
  return sha256(canonicalJson({ output, verdict, result, error }))
}

/** Throws if there is a server with the same name in another case: where case does not count, both would be one folder. */
async function requireOneSpelling(folder: string, server: string, files: Host['files']): Promise<void> {
  const names = [...(await files.listNames(folder)), ...(await files.listNames(join(folder, REPLAY)))]
  const other = names.find(name => name !== server && name.toLowerCase() === server.toLowerCase())
  if (other !== undefined)
    throw new UserError(
      `${folder} already has mocks of the server ${other}, whose name differs only in case.`,
      `Use --server ${other}, or another folder with --out.`,
    )
}
