import type { Provider } from '../model/provider.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { claudeCli } from './claude-cli.ts'
import { cli } from './cli.ts'
import { codexCli } from './codex-cli.ts'
import { google } from './google.ts'
import { http } from './http.ts'
import { mock } from './mock.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { replay } from './replay.ts'

/** Every built-in provider, in the order of the reference. */
export const providers: readonly Provider[] = [
  mock,
  cli,
  http,
  openai,
  azure,
  anthropic,
  google,
  openaiCompatible,
  claudeCli,
  codexCli,
  replay,
]
