import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { load, type MappingNode } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { addRun } from '../../src/log/edit-log.ts'
import { nodeOf, readYaml, yamlText } from '../../src/log/yaml-nodes.ts'
import { conversation } from '../support/logs/conversations.ts'
import { logsWith, runOf } from '../support/logs/log-files.ts'
import { examples } from '../support/random-examples.ts'

const META = `'{"tokens": 5, "cost": 0.0, "duration_ms": 7, "ts": "2025-12-25 11:56:26"}'`

/** A log with comments everywhere; the turn is the part that changes when a run is added. */
const commentedLog = (updated: string, runs: number, turn: string) => `# Reviewed by Ada.

# Keep this one.
name: hi   # as ConnectOnion names it
created: '2025-12-24 10:00:00'
updated: '${updated}' # never trust it
runs: ${runs}
# the small one
model: small
turns: # one turn
# the first turn
- input: hi # said
${turn}  # before the new prompt
  - run: 1
    output: "# no comment" # rude
    expected: Hello!
    # to be repeated
  # end of the history
# end of the file
`

const COMMENTED = commentedLog(
  '2025-12-24 10:00:00',
  2,
  `  # of run 2
  run: 2
  output: | # not polite
    # no comment
    Hi.
  # called by mistake
  tools_called: # one call
  - greet(name='Bob') # wrong name
  # what Ada wants
  expected: Hello! # exactly
  evaluation: ''
  meta: ${META}
  history: # older ones
`,
)

const AFTER = commentedLog(
  '2025-12-25 11:56:26',
  3,
  `  run: 3
  output: Hello!
  tools_called:
  - greet(name='Alice')
  # what Ada wants
  expected: Hello! # exactly
  evaluation: ''
  meta: ${META}
  history: # older ones
  # of run 2
  - run: 2
    output: | # not polite
      # no comment
      Hi.
    # called by mistake
    tools_called: # one call
    - greet(name='Bob') # wrong name
    expected: Hello!
    evaluation: ''
    meta: ${META}
`,
)

const FLOW = `turns:
- {input: hi, # said
   run: 1, # first
   output: "]"} # one turn
tags: [a, # A
  # B
  b] # both
end: 1 # last
`

const FLOW_AFTER = `name: hi
created: '2025-12-25 11:56:26'
updated: '2025-12-25 11:56:26'
runs: 2
model: small
turns:
# said
# first
- {input: hi, run: 2, output: Hello!, tools_called: [greet(name='Alice')], expected: '', evaluation: '', meta: ${META}, history: [{run: 1, output: "]"}]} # one turn
# A
# B
tags: [a, b] # both
end: 1 # last
`

const REPLACED = `model: # the old one
  old
runs: # none
history: # not ours
turns:
- # here
  input: hi
  expected: # to be written
  history: '[{"run": 1}]' # as JSON
  output: a
  # at the end
  # of the turn
`

const REPLACED_AFTER = `name: hi
created: '2025-12-25 11:56:26'
updated: '2025-12-25 11:56:26'
model: small # the old one
runs: 2 # none
history: # not ours
turns:
# here
- input: hi
  run: 2
  expected: '' # to be written
  history: # as JSON
  - output: a
    expected:
  - run: 1
  output: Hello!
  tools_called:
  - greet(name='Alice')
  evaluation: ''
  meta: ${META}
  # at the end
  # of the turn
`

const ALIASES = `model: &model small # the small one
turns:
- input: hi
  run: 1
  expected: *model # as above
  shared: &shared # by both
    # deep
    a: 1
  again: *shared # once more
`

const ALIASES_AFTER = `name: hi
created: '2025-12-25 11:56:26'
updated: '2025-12-25 11:56:26'
runs: 2
model: small # the small one
turns:
- input: hi
  run: 2
  output: Hello!
  tools_called:
  - greet(name='Alice')
  expected: small # as above
  evaluation: ''
  meta: ${META}
  history:
  - run: 1
    expected: small
  shared: # by both
    # deep
    a: 1
  again: # once more
    a: 1
`

describe('comments in a log', () => {
  it('stay in place, or move into the history with their run', async () => {
    const logs = logsWith({ 'hi.yaml': COMMENTED })
    await logs.add(runOf('hi'))
    expect(logs.text('hi.yaml')).toBe(AFTER)
  })

  it('stay when `expected` is written', async () => {
    const { setExpected } = await import('../../src/log/edit-log.ts')
    const logs = logsWith({ 'hi.yaml': COMMENTED })
    await logs.folder.edit('hi', root => setExpected(root, 1, 'Good day!'))
    expect(logs.text('hi.yaml')).toBe(COMMENTED.replace('expected: Hello! # exactly', 'expected: Good day! # exactly'))
  })

  it.each([
    ['with lines that end in CR LF', COMMENTED.replaceAll('\n', '\r\n'), AFTER],
    ['in and after flow collections', FLOW, FLOW_AFTER],
    ['at values that are replaced', REPLACED, REPLACED_AFTER],
    ['at anchors and aliases', ALIASES, ALIASES_AFTER],
  ])('survive %s', async (_, before, after) => {
    const logs = logsWith({ 'hi.yaml': before })
    await logs.add(runOf('hi'))
    expect(logs.text('hi.yaml')).toBe(after)
  })

  it('survive in a file that has nothing else', async () => {
    const logs = logsWith({ 'hi.yaml': '# not used yet\n\n  # really\n---\n' })
    await logs.add(runOf('hi'))
    expect(logs.text('hi.yaml')).toMatch(/^# not used yet\n# really\nname: hi\n/)
  })

  it('survive in any position and change nothing else', () => {
    const property = fc.property(conversation, fc.infiniteStream(fc.nat()), (runs, random) => {
      const log = nodeOf({}) as MappingNode
      for (const [index, run] of runs.entries()) addRun(log, 'log', run, index + 1)
      const plain = yamlText(log)
      const last = runs.at(-1)
      if (!last) return
      const withRun = (text: string) => {
        const root = readYaml(text) as MappingNode
        addRun(root, 'log', last, runs.length + 1)
        return yamlText(root)
      }
      const { text, comments } = withRandomComments(plain, random)
      expect(withoutComments(withRun(text), comments)).toBe(withRun(plain))
    })
    fc.assert(property, { numRuns: examples(200) })
  })
})

/** Adds comments on separate lines and at line ends, except inside strings. */
function withRandomComments(yaml: string, random: Iterator<number>): { text: string; comments: string[] } {
  const below = (limit: number) => random.next().value % limit
  const comments: string[] = []
  let text = yaml
  for (let number = 1; number <= 8; number++) {
    const comment = `# comment ${number}`
    const lines = text.split('\n')
    const at = below(lines.length)
    const line = lines[at] ?? ''
    if (below(2) === 0) lines.splice(at, 0, `${' '.repeat(below(6))}${comment}`)
    else lines[at] = `${line} ${comment}`
    const commented = lines.join('\n')
    if (!isSame(commented, text)) continue
    text = commented
    comments.push(comment)
  }
  return { text, comments }
}

function isSame(commented: string, text: string): boolean {
  try {
    return isDeepStrictEqual(load(commented), load(text))
  } catch {
    return false
  }
}

/** Removes comments, each of which must exist exactly once. */
function withoutComments(yaml: string, comments: readonly string[]): string {
  return comments.reduce((text, comment) => {
    expect(text.split(comment)).toHaveLength(2)
    return text.replace(new RegExp(`^ *${comment}\\n| *${comment}`, 'm'), '')
  }, yaml)
}
