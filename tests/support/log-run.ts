import type { LoggedRun, LoggedTurn } from '../../src/log/logged-run.ts'

/** A run of a conversation in which each input is answered with the same words. */
export function runOf(
  inputs: string | readonly string[],
  output = 'Hello!',
  more: Partial<LoggedTurn> = {},
): LoggedRun {
  const figures = { tokens: 5, cost: 0, duration_ms: 7 }
  const turns = [inputs].flat().map(input => ({
    ...figures,
    input,
    output,
    tools_called: ["greet(name='Alice')"],
    expected: '',
    evaluation: '',
    ...more,
  }))
  const messages = turns.flatMap(({ input, output }) => [
    { role: 'user', content: input },
    { role: 'assistant', content: output },
  ])
  return {
    system_prompt: '',
    model: 'small',
    cwd: '/somewhere',
    timestamp: '2025-12-25 11:56:26',
    ...figures,
    turns,
    messages,
  }
}
