import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { evaluate, resultsIn, suiteFolder } from '../../support/suite-run.ts'

/** Answers with the question, so that every value that reaches it can be seen. */
const ECHO = { name: 'default', provider: 'cli', command: ['cat'] }

const CAPITAL = {
  id: 'capital',
  criteria: 'Names {{capital}}',
  input: 'The capital of {{country}} is {{capital}}',
  assert: [{ type: 'contains', value: '{{capital}}' }],
  rows: 'capitals.csv',
}

const CSV = 'country,capital\nNorway,Oslo\nFrance,Paris\n'

function capitals(csv = CSV): string {
  return suiteFolder({ tests: [CAPITAL] }, [ECHO], { 'capitals.csv': csv })
}

/** The test ids of the last run with the answers, sorted by id. */
function answersIn(folder: string): string[] {
  return resultsIn(folder)
    .map(({ test_id, answer }) => `${test_id}: ${answer}`)
    .sort()
}

async function idsIn(folder: string): Promise<string[]> {
  const { stdout } = await assay(['list', '--json'], { cwd: folder })
  return JSON.parse(stdout).flatMap(({ tests }: { tests: { id: string }[] }) => tests.map(({ id }) => id))
}

describe('rows', () => {
  it('makes one test for each row', async () => {
    const folder = capitals('id,country,capital\nno,Norway,Oslo\nfr,France,Paris\n')
    const { code } = await evaluate(folder)
    expect(code).toBe(0)
    expect(answersIn(folder)).toEqual([
      'capital-fr: The capital of France is Paris',
      'capital-no: The capital of Norway is Oslo',
    ])
  })

  it('keeps the ids of other rows when one is inserted or the order changes', async () => {
    const [oslo, paris] = await idsIn(capitals())
    const ids = await idsIn(capitals('country,capital\nPeru,Lima\nFrance,Paris\nNorway,Oslo\nNorway,Oslo\n'))
    expect(ids.slice(1)).toEqual([paris, oslo, `${oslo}-2`])
    expect(oslo).toMatch(/^capital-[0-9a-f]{8}$/)
  })

  it('gives a test the same hashes as if it were written out', async () => {
    const folder = capitals('id,country,capital\nno,Norway,Oslo\n')
    await evaluate(folder)
    const [fromRow] = resultsIn(folder)
    const written = suiteFolder(
      {
        tests: [
          {
            id: 'capital-no',
            criteria: 'Names Oslo',
            input: 'The capital of Norway is Oslo',
            assert: [{ type: 'contains', value: 'Oslo' }],
          },
        ],
      },
      [ECHO],
    )
    await evaluate(written)
    const [fromText] = resultsIn(written)
    expect(fromRow?.test_hash).toBe(fromText?.test_hash)
    expect(fromRow?.attempt_id).toBe(fromText?.attempt_id)
  })

  it('selects rows with --test-id, and runs only changed ones with --affected', async () => {
    const folder = capitals('id,country,capital\nno,Norway,Oslo\nfr,France,Paris\n')
    await evaluate(folder, ['--test-id', 'capital-f*'])
    expect(answersIn(folder)).toEqual(['capital-fr: The capital of France is Paris'])
    await evaluate(folder)
    await assay(['baseline', 'save', '--name', 'main'], { cwd: folder })
    writeFileSync(join(folder, 'capitals.csv'), 'id,country,capital\npe,Peru,Lima\nno,Norway,OSLO\nfr,France,Paris\n')
    const { code } = await evaluate(folder, ['--affected', '--against', 'main'])
    expect(code).toBe(0)
    expect(answersIn(folder)).toEqual([
      'capital-no: The capital of Norway is OSLO',
      'capital-pe: The capital of Peru is Lima',
    ])
  })

  it('makes only the attempts of new rows when a run is resumed', async () => {
    const folder = capitals()
    await evaluate(folder)
    writeFileSync(join(folder, 'capitals.csv'), `${CSV}Peru,Lima\n`)
    await evaluate(folder, ['--resume'])
    const answers = resultsIn(folder).map(({ answer }) => answer)
    expect(answers).toHaveLength(3)
    expect(answers.at(-1)).toBe('The capital of Peru is Lima')
  })

  it('keeps what was made of each row when the table is edited between, whatever its line ends', async () => {
    const folder = capitals('\ufeffcountry,capital\r\nNorway,Oslo\r\n"France, the","Par\nis"\r\nPeru,Lima\r\n')
    await evaluate(folder)
    const before = new Map(resultsIn(folder).map(({ test_id, attempt_id }) => [test_id, attempt_id]))
    writeFileSync(
      join(folder, 'capitals.csv'),
      'country,capital\nItaly,Rome\nNorway,Oslo\nSpain,Madrid\n"France, the","Par\nis"\nPeru,LIMA\n',
    )
    const { code, stderr } = await evaluate(folder, ['--resume'])
    expect(code).toBe(0)
    expect(stderr).toContain('5 tests: 5 passed')
    // The record of the row as it was before stays, and does not count.
    const after = resultsIn(folder).filter(({ answer }) => !answer?.endsWith('Lima'))
    expect(after.map(({ answer }) => answer).sort()).toEqual([
      'The capital of France, the is Par\nis',
      'The capital of Italy is Rome',
      'The capital of Norway is Oslo',
      'The capital of Peru is LIMA',
      'The capital of Spain is Madrid',
    ])
    const kept = after.filter(({ test_id, attempt_id }) => before.get(test_id) === attempt_id)
    expect(kept.map(({ answer }) => answer?.slice(15, 21)).sort()).toEqual(['France', 'Norway'])
  })

  it('reads the same file for two tests, and one outside of the folder of the suite', async () => {
    const folder = suiteFolder({ tests: [CAPITAL, { ...CAPITAL, id: 'again', rows: '../up.csv' }] }, [ECHO], {
      'capitals.csv': CSV,
    })
    writeFileSync(join(folder, '../up.csv'), CSV)
    const ids = await idsIn(folder)
    expect(ids).toHaveLength(4)
    expect(ids.slice(2).map(id => id.replace('again', 'capital'))).toEqual(ids.slice(0, 2))
  })
})

describe('names of variables', () => {
  it('are the same letters, however they are composed', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
    const tests = [
      { id: 'csv', criteria: 'c', input: `{{${composed}}}`, rows: 'r.csv' },
      { id: 'list', criteria: 'c', input: `{{${composed}}}`, rows: [{ id: 'x', [decomposed]: 'from a list' }] },
      { id: 'vars', criteria: 'c', input: `{{${decomposed}}}`, vars: { [composed]: 'from vars' } },
    ].map(test => ({ ...test, assert: [{ type: 'contains', value: 'from' }] }))
    const folder = suiteFolder({ tests }, [ECHO], { 'r.csv': `id,${decomposed}\nx,from CSV\n` })
    expect((await assay(['validate', '--strict'], { cwd: folder })).code).toBe(0)
    await evaluate(folder)
    expect(answersIn(folder)).toEqual(['csv-x: from CSV', 'list-x: from a list', 'vars: from vars'])
    const twice = suiteFolder({ tests }, [ECHO], { 'r.csv': `${composed},${decomposed}\nx,y\n` })
    expect((await assay(['validate'], { cwd: twice })).stdout).toContain('duplicate column')
  })

  it('may be those of keys, where nothing else has them', async () => {
    const names = ['criteria', 'expected_output', 'type', 'answer', 'input', 'rows']
    const test = {
      ...{ id: 'a', criteria: 'c', input: names.map(name => `{{${name}}}`).join(' '), rows: 'r.csv' },
      assert: [{ type: 'equals', value: '0 1 2 3 4 5' }],
    }
    const csv = `${names.join(',')}\n${names.map((_, index) => index).join(',')}\n`
    const folder = suiteFolder({ tests: [test] }, [ECHO], { 'r.csv': csv })
    expect((await evaluate(folder)).code).toBe(0)
  })
})

describe('hostile variables', () => {
  it('treats names of prototypes as any other name', async () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const csv = `${names.join(',')}\n${names.map((_, index) => index).join(',')}\n`
    const input = names.map(name => `{{${name}}}`).join(' ')
    const folder = suiteFolder(
      { tests: [{ ...CAPITAL, criteria: 'c', input, assert: undefined, rows: 'n.csv' }] },
      [ECHO],
      {
        'n.csv': csv,
        'EVAL.yaml': JSON.stringify({
          name: 'n',
          tests: [{ id: 'a', criteria: 'c', input, assert: [{ type: 'equals', value: '0 1 2 3' }], rows: 'n.csv' }],
        }),
      },
    )
    expect((await evaluate(folder)).code).toBe(0)
    const missing = suiteFolder({ tests: [{ id: 'a', criteria: 'c', input, vars: {} }] }, [ECHO])
    const { stdout } = await assay(['validate'], { cwd: missing })
    for (const name of names) expect(stdout).toContain(`no variable named \`${name}\``)
  })

  it('fills in 10,000 variables, and values with NUL or template syntax as they are', async () => {
    const vars = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`v${index}`, index]))
    const input = Object.keys(vars)
      .map(name => `{{${name}}}`)
      .join(',')
    const odd = '\u0000 {{v1}} \\{{v2}} ${{ HOME }} $& \u202e'
    const expected = Object.values(vars).join(',')
    const folder = suiteFolder(
      {
        tests: [
          { id: 'many', criteria: 'c', input, vars, assert: [{ type: 'equals', value: expected }] },
          { id: 'odd', criteria: 'c', input: '{{odd}}', vars: { odd }, assert: [{ type: 'equals', value: '{{odd}}' }] },
        ],
      },
      [ECHO],
    )
    expect((await evaluate(folder)).code).toBe(0)
    expect(resultsIn(folder).find(({ test_id }) => test_id === 'odd')?.answer).toBe(odd)
  })

  it('reads a field of several megabytes', async () => {
    const long = 'line, "quoted"\n'.repeat(200_000)
    const folder = suiteFolder(
      {
        tests: [
          {
            id: 'a',
            criteria: 'c',
            input: 'x',
            assert: [{ type: 'contains', value: '{{long}}', negate: true }],
            rows: 'r.csv',
          },
        ],
      },
      [ECHO],
      { 'r.csv': `long\n"${long.replaceAll('"', '""')}"\n` },
    )
    expect((await evaluate(folder)).code).toBe(0)
  })
})

describe('variables in checks', () => {
  const judge = (response: string, ...patterns: string[]) => ({
    name: 'judge',
    provider: 'mock',
    responses: patterns.map(pattern => ({ pattern, response })),
  })

  it('are literal in the prompt of a judge, also if they look like its own variables', async () => {
    const test = {
      ...{ id: 'a', criteria: 'planted', input: 'Hi', vars: { rule: 'Obey {{criteria}} and \\{{answer}}' } },
      assert: [{ type: 'llm_judge', prompt: 'Rule: {{rule}}. Answer: {{answer}}' }],
    }
    const exact = 'Rule: Obey \\{\\{criteria\\}\\} and \\\\\\{\\{answer\\}\\}\\. Answer: [^]*Hi'
    const folder = suiteFolder({ tests: [test] }, [ECHO, judge('{"score": 1}', exact)])
    expect((await evaluate(folder)).code).toBe(0)
  })

  it('are not filled in where a target is named', async () => {
    const test = {
      ...{ id: 'a', criteria: 'c', input: '{{name}}', vars: { name: 'judge' } },
      assert: [{ type: 'llm_judge', target: '{{name}}' }],
    }
    const folder = suiteFolder({ tests: [test] }, [ECHO, judge('{"score": 1}', '.')])
    const { code, stderr } = await evaluate(folder)
    expect(code).toBe(2)
    expect(stderr).toContain('no target named `{{name}}`')
  })
})

describe('other commands', () => {
  it('transpiles each row as an eval', async () => {
    const folder = capitals('id,country,capital\nno,Norway,Oslo\n')
    const { code, stdout, stderr } = await assay(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd: folder })
    expect(code, stdout + stderr).toBe(0)
    const [file = ''] = readdirSync(join(folder, 'out'))
    const { evals } = JSON.parse(readFileSync(join(folder, 'out', file), 'utf8'))
    expect(evals).toMatchObject([{ prompt: 'The capital of Norway is Oslo' }])
  })

  it('checks each row', async () => {
    const folder = capitals('id,country,capital\nno,Norway,Oslo\n')
    const { stdout } = await assay(['check'], { cwd: folder })
    expect(stdout).not.toContain('{{')
  })
})
