import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, answerSchema, NoAnswer } from '../../../src/model/answer.ts'
import type { Host, Program } from '../../../src/model/host.ts'
import { traceSummary } from '../../../src/model/trace-summary.ts'
import { ClaudeEvents } from '../../../src/providers/shared/agents/claude-events.ts'
import { CodexEvents } from '../../../src/providers/shared/agents/codex-events.ts'
import { runAgent } from '../../../src/providers/shared/agents/run-agent.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateValues } from '../mutate/mutate-file.ts'
import { mutateText } from '../mutate/mutate-text.ts'
import { overlayHost } from '../overlay-host.ts'
import { Random } from '../random.ts'
import { ROOT } from '../root.ts'

const FOLDER = join(ROOT, 'tests/agent-streams')

/** Recorded output of Claude Code and Codex, with lines changed, removed, repeated and reordered. */
export const agentStreams: Fuzzer = {
  name: 'agent-streams',
  summary: 'event streams of Claude Code and Codex',
  deep: { outcome: 'answered', share: 0.2 },
  make: random => {
    const names = streams().map(({ name }) => name)
    const from = random.pick(names)
    const texts = streams().map(({ text }) => text)
    const lines = mutateLines(streams().find(({ name }) => name === from)?.text ?? '', random, texts)
    return { from, files: { stdout: new TextEncoder().encode(lines) }, salt: random.below(2 ** 31) }
  },
  run: async ({ from, files, salt }) => {
    const lines = new TextDecoder().decode(files['stdout']).split('\n')
    const random = new Random(`stream ${salt}`)
    const most = random.pick([undefined, 1, 3])
    const events = from.startsWith('claude') ? new ClaudeEvents() : new CodexEvents('gpt', most)
    const context = {
      host: hostPrinting(lines, random.pick([0, 0, 0, 1])),
      signal: new AbortController().signal,
      home: '/',
      warn: () => {},
      recordings: () => Promise.reject(new Error('none')),
    }
    try {
      mustBeAnswer(await runAgent({ command: ['agent'], cwd: '/', env: {} }, events, context))
      return 'answered'
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      must(error.message.length < 10_000, () => `a message of ${error.message.length} characters`)
      return error.code
    }
  },
}

function mustBeAnswer(answer: Answer): void {
  const read = answerSchema().safeParse(JSON.parse(JSON.stringify(answer)))
  must(read.success, () => `an answer that cannot be recorded: ${read.error?.message}`)
  traceSummary(answer.output_messages ?? [])
}

/** A host whose programs all print these lines. */
function hostPrinting(lines: readonly string[], code: number): Host {
  const run = async ({ onLine, signal }: Program) => {
    for (const line of lines) if (!signal.aborted) onLine?.(line)
    return { code, signal: undefined, stdout: '', stderr: '', tooLarge: false }
  }
  const host = overlayHost('/', {}, 0)
  return { ...host, processes: { ...host.processes, run } }
}

/** Changes a few events, so that most streams stay consistent. */
function mutateLines(text: string, random: Random, others: readonly string[]): string {
  let lines = text.split('\n').filter(Boolean)
  for (let left = random.few(4); left > 0; left--) {
    const at = random.below(lines.length)
    const line = lines[at] ?? '{}'
    const foreign = random.pick(random.pick(others).split('\n'))
    lines = random.pick([
      () => lines.toSpliced(at, 1, mutateValues(line, 'json', random, [])),
      () => lines.toSpliced(at, 1, mutateValues(line, 'json', random, [])),
      () => lines.toSpliced(at, 1, mutateText(line, random, others)),
      () => lines.toSpliced(at, 1),
      () => lines.toSpliced(at, 0, line),
      () => lines.toSpliced(random.below(lines.length), 0, line),
      () => lines.toSpliced(at, 0, foreign),
      () => lines.slice(0, Math.max(1, at)),
    ])()
  }
  return lines.join('\n')
}

let known: readonly { readonly name: string; readonly text: string }[] | undefined

function streams() {
  known ??= readdirSync(FOLDER)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .map(name => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))
  return known
}
