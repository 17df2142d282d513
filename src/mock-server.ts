import { join } from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { type SchemaValidator, schemaValidator } from './evaluators/shared/json-schemas/validator.ts'
import { readRegularFile } from './host/files/regular-file.ts'
import { SharedJournal } from './host/shared-journal.ts'
import { answerCall, type JournalEntry, recordingOf, type ToolRequest } from './mocks/answer-call.ts'
import { DEFINITION_FILE, JOURNAL_FILE, MockHistory } from './mocks/journal.ts'
import { asText } from './mocks/render.ts'
import type { MockRecording, MockServer, MockServers } from './model/mock.ts'

// Serves one mocked server over stdio: `node mock-server.js FOLDER SERVER`. An agent may start it several times.

/** Most bytes of all calls of an attempt. */
const LARGEST_JOURNAL = 100_000_000

/** Answers calls with the state that all processes of an attempt share. */
class CallAnswerer {
  readonly #server: MockServer
  readonly #history: MockHistory
  readonly #journal: SharedJournal
  readonly #validators = new Map<string, SchemaValidator>()

  constructor(folder: string, servers: MockServers, server: MockServer) {
    this.#server = server
    this.#history = new MockHistory(servers)
    this.#journal = new SharedJournal(join(folder, JOURNAL_FILE), line => this.#history.add(line))
  }

  /** Returns the answer after it is in the journal. */
  async answer(request: ToolRequest): Promise<JournalEntry> {
    const validator = await this.#validatorOf(request.tool)
    let entry: JournalEntry = request
    await this.#journal.append(size => {
      const state = this.#history.state[request.server] ?? {}
      entry = answerCall(request, this.#server, state, (_, input) => validator(JSON.stringify(input)))
      let line = JSON.stringify(entry)
      if (size + line.length > LARGEST_JOURNAL) {
        entry = { server: request.server, tool: request.tool, error: TOO_LARGE, rejected: true }
        line = JSON.stringify(entry)
      }
      return line
    })
    return entry
  }

  async #validatorOf(tool: string): Promise<SchemaValidator> {
    const { tools } = this.#server
    const { input_schema = {} } = (Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? {}
    const known = this.#validators.get(tool)
    const validator = known ?? (await schemaValidator(input_schema, matchesPattern))
    if (Object.hasOwn(tools, tool)) this.#validators.set(tool, validator)
    return validator
  }
}

const TOO_LARGE = 'the calls of this attempt are larger than 100 MB'

function matchesPattern(pattern: string, flags: string, text: string): boolean {
  return new RegExp(pattern, flags).test(text)
}

async function serve(folder: string, name: string): Promise<void> {
  const bytes = await readRegularFile(join(folder, DEFINITION_FILE))
  const servers: MockServers = JSON.parse(new TextDecoder().decode(bytes))
  const definition = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (!definition) throw new Error(`no mocked server named ${name}`)
  const answerer = new CallAnswerer(folder, servers, definition)
  const server = new Server({ name, version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList(definition) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name: tool, arguments: input = {} } }) => {
    const entry = await answerer.answer({ server: name, tool: tool === '' ? NO_NAME : tool, input })
    const mocked = Object.hasOwn(definition.tools, tool) ? definition.tools[tool] : undefined
    return toolResult(entry, mocked && recordingOf(mocked, input))
  })
  await server.connect(new StdioServerTransport())
}

/** A record has a name for every tool. */
const NO_NAME = '(no name)'

function toolList({ tools }: MockServer) {
  return Object.entries(tools).map(([name, { description, input_schema }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: { ...input_schema, type: 'object' as const },
  }))
}

/** The result of a call: as it was recorded, or made from the answer of the mock. */
function toolResult({ tool, output, error, rejected }: JournalEntry, recording: MockRecording | undefined) {
  if (rejected) throw new McpError(ErrorCode.InvalidParams, `${tool}: ${error}`)
  if (recording?.error) throw Object.assign(new Error(recording.error.message), recording.error)
  if (recording?.result) return recording.result
  if (error !== undefined) return { isError: true, content: [{ type: 'text' as const, text: error }] }
  return { content: [{ type: 'text' as const, text: output === undefined ? '' : asText(output) }] }
}

const [folder = '', name = ''] = process.argv.slice(2)
// The agent has gone, and with it the reader of what is left to print.
process.stdout.on('error', () => process.exit(0))
await serve(folder, name)
