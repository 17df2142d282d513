import { folderWith } from '../support/program.ts'
import { type Server, serve } from '../support/servers/server.ts'

/** A server that echoes the prompt. */
export function echoServer(): Promise<Server> {
  return serve((call, response) => response.end(JSON.stringify({ reply: JSON.parse(call.body).prompt })))
}

/** A suite that uses every part of the host: programs, files, workspaces, a server, conversations and a judge. */
export function faultedSuite(
  tests: number,
  trials: number,
  url: string,
  targets: readonly string[] = TARGETS,
  { hasJudge = true }: { readonly hasJudge?: boolean } = {},
): string {
  const written = Array.from({ length: tests }, (_, index) => ({
    id: `t${index}`,
    criteria: 'Says it again',
    input: `Say ok ${index}`,
    // Some fail, so that their workspaces are kept.
    assert: [
      { type: 'contains', value: index % 5 === 2 ? 'never' : `ok ${index}` },
      ...(hasJudge && index % 4 === 1 ? [JUDGE] : []),
    ],
    ...(index % 4 === 2 ? { input_files: ['./notes.txt'] } : {}),
    ...(index % 4 > 1 ? { conversation_id: `c${Math.floor(index / 4)}` } : {}),
  }))
  return folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'faults', execution: { targets, trials }, tests: written }),
    '.assay/targets.yaml': JSON.stringify({ targets: targetsAt(url) }),
    'notes.txt': 'Notes.\n',
    'judge.sh': `cat > /dev/null; echo '{"score": 1, "hits": ["fine"]}'\n`,
    'agent.sh': 'cat "$1" > "$2"\n',
    'work/file.txt': 'A file.\n',
  })
}

const TARGETS: readonly string[] = ['mock', 'program', 'worker', 'web']

const JUDGE = { type: 'code_judge', name: 'judge', command: ['sh', './judge.sh'] }

function targetsAt(url: string): object[] {
  return [
    {
      name: 'mock',
      provider: 'mock',
      responses: Array.from({ length: 100 }, (_, index) => ({
        pattern: `ok ${index}$`,
        response: `ok ${index}`,
        duration_ms: 1,
      })),
    },
    { name: 'program', provider: 'cli', command: ['sh', 'agent.sh', '{PROMPT_FILE}', '{OUTPUT_FILE}'], cwd: '.' },
    { name: 'worker', provider: 'cli', command: ['sh', '-c', 'grep Say; echo >> file.txt'], workspace: './work' },
    { name: 'web', provider: 'http', url: `${url}/chat`, response: { text: 'reply' } },
  ]
}
