import { join } from 'node:path'
import * as z from '../lib/zod.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import { LARGEST_ANSWER_BYTES } from '../model/answer-limits.ts'
import { filePathsIn } from '../model/message.ts'
import { promptData, renderPrompt } from '../model/messages/prompt-text.ts'
import { describeStderr } from '../model/program.ts'
import type { Prompt } from '../model/prompt.ts'
import type { AskContext } from '../model/provider.ts'
import { defineProvider } from './define-provider.ts'
import { withMcpFile } from './shared/agents/mcp-servers.ts'
import { envelopeFields } from './shared/envelope.ts'
import {
  fillCommand,
  findPlaceholders,
  type PlaceholderName,
  type PlaceholderValues,
  placeholderIssues,
} from './shared/placeholders.ts'
import { commandFiles } from './shared/programs/command-files.ts'
import { describeMissingProgram, misplacedFileIssues } from './shared/programs/find-program.ts'
import {
  folderIssues,
  programFields,
  programFolder,
  workingFolder,
  workspaceEnv,
} from './shared/programs/program-fields.ts'
import { readOutput } from './shared/programs/program-output.ts'
import { runSuccessfully } from './shared/programs/run-program.ts'
import { fillShellLine, shellIssues } from './shared/programs/shell-line.ts'
import { prepareSandbox, type Sandbox } from './shared/sandbox/sandbox.ts'
import {
  describeLackingSandbox,
  readableIssues,
  sandboxIssues,
  unavailableSandboxIssues,
} from './shared/sandbox/sandbox-issues.ts'

const config = () =>
  z.strictObject({
    command: z
      .union([z.tuple([z.string().min(1)], z.string()), z.string().min(1)])
      .describe(
        'Program and arguments as a list, or a command line for the shell. Placeholders: {PROMPT}, {PROMPT_FILE}, {MESSAGES_FILE}, {OUTPUT_FILE}, {FILES}, {TEST_ID}, {EVAL_ID}, {ATTEMPT}, {MCP_CONFIG}.',
      ),
    stdin: z
      .enum(['text', 'json'])
      .optional()
      .describe('Format of the prompt on stdin. Default: `text`, or no stdin if a placeholder holds the prompt.'),
    output_format: z
      .enum(['text', 'json'])
      .optional()
      .describe('How to read the output. Default: JSON if it is an object with a key of an answer, otherwise text.'),
    ...envelopeFields(),
    ...programFields(),
  })

export const cli = defineProvider({
  type: 'cli',
  summary: 'Any program: it receives the prompt and prints the answer.',
  config,
  examples: [
    {
      title: 'A script that reads stdin',
      target: { name: 'default', provider: 'cli', command: ['node', 'agent.mjs'] },
    },
    { title: 'Through the shell', target: { name: 'default', provider: 'cli', command: 'my-agent --ask {PROMPT}' } },
  ],
  execution: { workers: host => host.cores },
  files: {
    workspace: ({ workspace }) => workspace,
    commands: ({ setup, teardown }) => ({ setup, teardown }),
    paths: ({ command, ...fields }, folders) => commandFiles(command, programFolder(fields, folders)),
  },
  validate: {
    target: ({ command, ...fields }) => [
      ...(typeof command === 'string' ? shellIssues(command) : []),
      ...placeholderIssues(command),
      ...sandboxIssues(fields),
    ],
    surroundings: async (fields, home, host) => [
      ...(await folderIssues(fields, home, host)),
      ...(await readableIssues(fields, home, host)),
    ],
    suite: async (fields, folders, host) => [
      ...(await misplacedFileIssues(fields, folders, host)),
      ...(await unavailableSandboxIssues(fields, folders, host)),
    ],
    machine: async ({ command, ...started }, home, host) =>
      (await describeMissingProgram(typeof command === 'string' ? undefined : command[0], started, home, host)) ??
      describeLackingSandbox(started, host),
  },
  about: ({ command }) => [command].flat().join(' '),
  looks: true,
  mcp: true,
  answer: async (target, prompt, context) => {
    const used = findPlaceholders(target.command)
    const needsFiles = (['PROMPT_FILE', 'MESSAGES_FILE', 'OUTPUT_FILE'] as const).some(name => used.has(name))
    return withMcpFile(prompt.mcp?.servers, context, async mcp => {
      if (!needsFiles) return runCommand(target, prompt, context, used, { folder: '', mcp })
      const folder = await context.host.files.makeTemporaryFolder()
      try {
        return await runCommand(target, prompt, context, used, { folder, mcp })
      } finally {
        // A folder that cannot be removed now is removed when the process exits.
        await context.host.files.remove(folder).catch(() => {})
      }
    })
  },
})

type Config = z.output<ReturnType<typeof config>>

const PROMPT_PLACEHOLDERS = ['PROMPT', 'PROMPT_FILE', 'MESSAGES_FILE'] as const

/** Runs the program once. Its prompt and output files are in `folder`, its MCP servers in the file `mcp`. */
async function runCommand(
  target: Config,
  prompt: Prompt,
  context: AskContext,
  used: ReadonlySet<PlaceholderName>,
  { folder, mcp }: { readonly folder: string; readonly mcp: string | undefined },
): Promise<Answer> {
  const { host } = context
  const files = used.has('FILES') || used.has('MESSAGES_FILE') ? 'apart' : 'inlined'
  const text = () => renderPrompt(prompt, host, files)
  const data = async () => JSON.stringify(await promptData(prompt, host))
  const values: PlaceholderValues = {
    PROMPT: used.has('PROMPT') ? await text() : '',
    PROMPT_FILE: join(folder, 'prompt.txt'),
    MESSAGES_FILE: join(folder, 'messages.json'),
    OUTPUT_FILE: join(folder, 'output'),
    FILES: filePathsIn(prompt.messages),
    TEST_ID: prompt.test_id,
    EVAL_ID: prompt.test_id,
    ATTEMPT: String(prompt.trial),
    MCP_CONFIG: mcp ?? '',
  }
  if (used.has('PROMPT_FILE')) await host.files.writeNew(join(folder, 'prompt.txt'), await text())
  if (used.has('MESSAGES_FILE')) await host.files.writeNew(join(folder, 'messages.json'), await data())
  const byStdin = target.stdin !== undefined || !PROMPT_PLACEHOLDERS.some(name => used.has(name))
  const stdin = byStdin ? await (target.stdin === 'json' ? data() : text()) : ''
  const cwd = workingFolder(target, prompt, context)
  const { command } = target
  const line =
    typeof command === 'string' ? fillShellLine(command, values) : { command: fillCommand(command, values), env: {} }
  const servers = mcp === undefined ? {} : { ASSAY_MCP_CONFIG: mcp }
  const env = { ...workspaceEnv(prompt), ...servers, ...target.env, ...line.env }
  const paths = { readable: mcp === undefined ? [] : [mcp], writable: folder === '' ? [] : [folder] }
  const sandbox = await prepareSandbox(target, prompt, context, paths)
  const end = await runSuccessfully({ command: line.command, cwd, env, stdin, sandbox }, context)
  const output = used.has('OUTPUT_FILE') ? await readOutputFile(join(folder, 'output'), sandbox, context) : end.stdout
  if (output.trim() === '') throw new NoAnswer('empty-answer', `the program printed no output${describeStderr(end)}`)
  const { output_format, unknown_keys } = target
  return readOutput(output, { output_format, unknown_keys, warn: context.warn })
}

async function readOutputFile(path: string, sandbox: Sandbox | undefined, { host }: AskContext): Promise<string> {
  // Outside of its sandbox, a link of the program would lead to files that it must not read.
  if (sandbox && (await host.files.readLink(path)) !== undefined)
    throw new NoAnswer(
      'bad-response',
      'the output file is a link: in a sandbox, the program must write the file itself',
    )
  const stat = await host.files.stat(path)
  if (!stat) return ''
  if (stat.size > LARGEST_ANSWER_BYTES) throw new NoAnswer('output-too-large', 'the output file is larger than 10 MB')
  return new TextDecoder().decode(await host.files.read(path))
}
