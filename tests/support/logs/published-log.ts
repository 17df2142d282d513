/** The log that the format publishes as an example, with the times of its two runs. */
export function publishedLog(first: string, second: string): string {
  return `name: say_hello_to_alice
created: '${first}'
updated: '${second}'
runs: 2
model: gemini-2.5-flash
turns:
- input: Say hello to Alice
  run: 2
  output: Hello, Alice!
  tools_called:
  - greet(name='Alice')
  expected: ''
  evaluation: ''
  meta: '{"tokens": 155, "cost": 0.0, "duration_ms": 3595, "ts": "${second}"}'
  history:
  - run: 1
    output: Hello, Alice!
    tools_called:
    - greet(name='Alice')
    expected: ''
    evaluation: ''
    meta: '{"tokens": 155, "cost": 0.0, "duration_ms": 4438, "ts": "${first}"}'
`
}
