import { Command, InvalidArgumentError } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { serverNameSchema } from '../../model/mock.ts'
import { UserError } from '../../model/user-error.ts'
import type { RecordedMocks, RecordMocksRequest } from '../../operations/mocks/record-mocks.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { collect, example } from '../options.ts'
import { watchSignals } from '../signals.ts'

interface Options {
  readonly server: string
  readonly out: string
  readonly url?: string
  readonly header?: readonly string[]
}

export function mockCommand(context: CommandContext): Command {
  return new Command('mock')
    .description('Mocks of MCP servers.')
    .addCommand(recordCommand(context))
    .addHelpText('after', example(STARTED))
}

const STARTED = 'assay mock record --server orders --out mocks -- node orders-server.mjs'
const REMOTE = 'assay mock record --server orders --url https://mcp.example/mcp --header "Authorization: Bearer $TOKEN"'

function recordCommand(context: CommandContext): Command {
  return new Command('record')
    .description('Pass messages between an agent and a real MCP server, and record the calls as mocks.')
    .argument('[command...]', 'command that starts the real server, after --')
    .requiredOption('--server <name>', 'name of the server in the mocks', serverName)
    .option('--out <folder>', 'folder with mocks, to which recordings are added', 'mocks')
    .option('--url <url>', 'address of a real server with streamable HTTP, instead of a command', serverUrl)
    .option('--header <header>', 'header of each request to --url, such as "Name: value" (repeatable)', collect)
    .addHelpText('after', HELP)
    .action((command, options) => context.run(() => record(command, options, context)))
}

const HELP = `
The command is itself an MCP server on stdin and stdout: configure the agent to start it in place of the real server.
Use an absolute path for --out, since an agent starts servers in a folder of its choice.
Claude Code:
  $ claude mcp add orders -- ${STARTED.replace('--out mocks', '--out "$PWD/mocks"')}
Codex, in config.toml:
  [mcp_servers.orders]
  command = "assay"
  args = ["mock", "record", "--server", "orders", "--out", "/path/to/mocks", "--", "node", "orders-server.mjs"]
${example(STARTED, REMOTE)}`

async function record(
  command: readonly string[],
  options: Options,
  { host, terminal }: CommandContext,
): Promise<ExitCode> {
  const request = { server: options.server, out: options.out, real: realServer(command, options) }
  const { recordMocks } = await import('../../operations/mocks/record-mocks.ts')
  const say = (text: string) => terminal.err(`assay: ${printableLine(text)}\n`)
  const signals = watchSignals(host, () => {})
  try {
    const recorded = await recordMocks(
      request,
      {
        onMessage: line => host.terminal.stdout.write(`${line}\n`),
        onStderr: text => host.terminal.stderr.write(text),
        onNote: say,
        onSecrets: redact => terminal.redactWith(redact),
        onReady: folder => say(`recording calls to ${request.server} in ${folder}`),
      },
      host,
      signals.signal,
    )
    for (const line of summary(recorded)) say(line)
    return signals.code ?? exitCode(recorded)
  } finally {
    signals.stop()
  }
}

/** Mocks without some of the calls are incomplete. */
function exitCode({ end, failed, skipped, unanswered }: RecordedMocks): ExitCode {
  if (failed > 0 || end.unreachable) return EXIT.userError
  return end.problem === undefined && skipped + unanswered === 0 ? EXIT.ok : EXIT.incomplete
}

function* summary({ calls, written, skipped, failed, unanswered, redacted, folder, end }: RecordedMocks) {
  if (end.problem !== undefined) yield end.problem
  yield `recorded ${plural(calls, 'call')} in ${folder}${calls > written ? ` (${calls - written} recorded before)` : ''}`
  if (skipped > 0) yield `${plural(skipped, 'call')} could not be recorded`
  if (failed > 0)
    yield `${plural(failed, 'file')} could not be written: free space or correct the permissions, and record again`
  if (unanswered > 0) yield `${plural(unanswered, 'call')} had no answer: not recorded`
  if (redacted.length > 0) yield `redacted: ${redacted.join(', ')}`
}

function realServer(command: readonly string[], { url, header = [] }: Options): RecordMocksRequest['real'] {
  if (url === undefined && command.length === 0)
    throw new UserError('There is no server to record.', 'Give its command after `--`, or its address with --url.')
  if (url === undefined && header.length > 0)
    throw new UserError('--header needs --url.', 'A server that is started gets its keys from the environment.')
  if (url === undefined) return command
  if (command.length > 0)
    throw new UserError('There are two servers: a command and --url.', 'Record each of them with its own command.')
  return { url, headers: Object.fromEntries(header.map(headerOf)) }
}

/** Parses a name that agents accept in `mcp__<server>__<tool>`. */
function serverName(text: string): string {
  if (!serverNameSchema().safeParse(text).success)
    throw new InvalidArgumentError('It must be up to 64 letters, digits, - and single _.')
  return text
}

function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('It must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It must not contain credentials: use --header.')
  return text
}

function headerOf(text: string): [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(text) ?? []
  // The text is not repeated: it may be a key.
  if (name === undefined || value === undefined)
    throw new UserError('A --header is not valid.', 'Write it as "Name: value", on one line.')
  return [name, value]
}
