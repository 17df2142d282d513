import type { Fuzzer } from './fuzzer.ts'
import { agentStreams } from './fuzzers/agent-streams.ts'
import { config } from './fuzzers/config.ts'
import { datasets } from './fuzzers/datasets.ts'
import { evalsJson } from './fuzzers/evals-json.ts'
import { judgeOutput } from './fuzzers/judge-output.ts'
import { judgeReplies } from './fuzzers/judge-replies.ts'
import { logs } from './fuzzers/logs.ts'
import { runFolders } from './fuzzers/run-folders.ts'
import { suites } from './fuzzers/suites.ts'
import { targets } from './fuzzers/targets.ts'

/** One fuzzer for every part of the program that reads external input. */
export const fuzzers: readonly Fuzzer[] = [
  suites,
  datasets,
  targets,
  config,
  evalsJson,
  logs,
  judgeOutput,
  judgeReplies,
  agentStreams,
  runFolders,
]
