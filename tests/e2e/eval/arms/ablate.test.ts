import { describe, expect, it } from 'vitest'
import { providers } from '../../../../src/providers/index.ts'
import { ablatableFields, targetTypes } from '../../../../src/spec/targets.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'

const AGENT = `let text = ''
process.stdin.on('data', part => { text += part })
process.stdin.on('end', () => process.stdout.write(text.includes('politely') ? 'hello' : 'what?'))`

/** Answers with its configuration. */
const OWN_PROVIDER = `export default {
  type: 'own', summary: '', examples: [],
  config: { safeParse: data => ({ success: true, data }) },
  answer: async config => ({ text: JSON.stringify(config) }),
}`

function project(targets: readonly object[], execution: object = {}): string {
  const test = { id: 'greets', criteria: 'x', input: 'hi', assert: [{ type: 'contains', value: 'hello' }] }
  return folderWith({
    'agent.mjs': AGENT,
    'own.mjs': OWN_PROVIDER,
    '.assay/targets.yaml': JSON.stringify({ targets }),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution, tests: [test] }),
  })
}

const POLITE = { name: 'polite', provider: 'cli', command: ['node', 'agent.mjs'], system_prompt: 'Answer politely.' }

interface Recorded {
  readonly index: number
  readonly target: string
  readonly control?: true
  readonly verdict: string
}

async function resultsOf(cwd: string, run = 'latest'): Promise<string[]> {
  const { stdout } = await assay(['report', run, '--format', 'jsonl'], { cwd })
  const results = stdout.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Recorded]))
  return results.map(({ target, control, verdict }) => `${target}${control ? '*' : ''} ${verdict}`)
}

describe('assay eval --ablate', () => {
  it('compares each target with a copy of itself without the field', async () => {
    const cwd = project([POLITE, { ...POLITE, name: 'other' }], { targets: ['polite', 'other'] })
    await assay(['eval', '--ablate', 'system_prompt'], { cwd })
    const results = [
      'polite pass',
      'polite-without-system-prompt* fail',
      'other pass',
      'other-without-system-prompt* fail',
    ]
    expect(await resultsOf(cwd)).toEqual(results)
    await assay(['eval', '--resume', '--trials', '2'], { cwd })
    expect((await resultsOf(cwd)).filter(result => result.includes('*'))).toHaveLength(4)
    expect((await assay(['grade', 'latest'], { cwd })).code).not.toBe(2)
    expect((await resultsOf(cwd)).sort()).toEqual([...results, ...results].sort())
  })

  it('keeps an empty list, since an agent without `skills` has those of the user', async () => {
    const cwd = project([{ name: 'agent', provider: './own.mjs', skills: ['skills/a'] }], { target: 'agent' })
    await assay(['eval', '--ablate', 'skills'], { cwd })
    const { stdout } = await assay(['report', 'latest', '--format', 'jsonl'], { cwd })
    expect(stdout.match(/"answer":.*?}"/g)).toEqual([
      String.raw`"answer":"{\"skills\":[\"skills/a\"]}"`,
      String.raw`"answer":"{\"skills\":[]}"`,
    ])
  })

  it('needs targets that have the field', async () => {
    const cwd = project([{ name: 'default', provider: 'mock', response: 'hello' }])
    const { code, stderr } = await assay(['eval', '--ablate', 'skills'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('the target `default` has no `skills`, so a copy without it would not differ')
  })

  it('does not take the name of a target', async () => {
    const cwd = project([POLITE, { ...POLITE, name: 'polite-without-system-prompt' }], { target: 'polite' })
    const { code, stderr } = await assay(['eval', '--ablate', 'system_prompt'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('`--ablate system_prompt` makes a target of this name, a copy of `polite`')
  })

  it('takes the fields that some provider has, which the help lists', async () => {
    const cwd = project([POLITE])
    const { code, stderr } = await assay(['eval', '--ablate', 'sklls'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean `skills`?')
    expect((await assay(['eval', '--ablate', 'temperature'], { cwd })).stderr).toContain('use one of skills,')
    const { stdout } = await assay(['eval', '--help'], { cwd })
    const fields = ablatableFields(targetTypes(providers))
    const last = fields.pop()
    expect(stdout.replace(/\s+/g, ' ')).toContain(`without this field: ${fields.join(', ')} or ${last}`)
  })

  it('cannot be used with --control', async () => {
    const { code, stderr } = await assay(['eval', '--ablate', 'skills', '--control', 'x'], { cwd: project([POLITE]) })
    expect(code).toBe(2)
    expect(stderr).toContain('cannot be used with')
  })
})
