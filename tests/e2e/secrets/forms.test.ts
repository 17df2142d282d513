import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { providerModule, recordsOf, suiteFolder, wordTest } from '../../support/runs.ts'
import { folderText } from './folder-text.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64')
const wrapped = (text: string) => encoded('x'.repeat(50) + text).replace(/.{64}/g, '$&\n')

const PIN = '8675309421'
const PASS = 'p@ss-Zq8Mark/5'
/** What each target leaks, and the texts that no file and no output may contain. */
const LEAKS: Record<string, { target: object; says: string; leaks: string[] }> = {
  bearer: { target: { headers: { Authorization: 'Bearer Tk-Zq8-Bearer' } }, says: 'Tk-Zq8-Bearer', leaks: ['Tk-Zq8'] },
  basic: {
    target: { headers: { Authorization: `Basic ${encoded('alice:Pw-Zq8-Basic')}` } },
    says: 'Pw-Zq8-Basic',
    leaks: ['Pw-Zq8'],
  },
  cookie: { target: { headers: { Cookie: 'lang=de; sid=Ck-Zq8-Cookie' } }, says: 'Ck-Zq8-Cookie', leaks: ['Ck-Zq8'] },
  url: {
    target: { endpoint: 'postgres://me:${{ DB_PASS }}@db.test/x' },
    says: `${PASS} ${encodeURIComponent(PASS)} postgres://me:${encodeURIComponent(PASS)}@db.test`,
    leaks: ['Zq8Mark'],
  },
  lines: { target: { pwd: '${{ USER_PWD }}' }, says: wrapped('Wr-Zq8-Wrapped-Secret'), leaks: ['Wr-Zq8'] },
  number: { target: { session_pin: '${{ PIN_CODE }}' }, says: `{"pin": ${PIN}}`, leaks: [PIN] },
}
const env = { DB_PASS: PASS, USER_PWD: 'Wr-Zq8-Wrapped-Secret', PIN_CODE: PIN }

const PROVIDER = providerModule(
  `const tool_calls = [{ tool: 'pay', input: { pin: ${PIN}, said: config.says }, output: config.says }]
    return { text: config.says, output_messages: [{ role: 'assistant', content: config.says, tool_calls }] }`,
)

it('redacts secrets without their scheme, in URLs, cookies, wrapped lines and numbers', async () => {
  const targets = Object.entries(LEAKS).map(([name, { target }]) => ({ name, provider: './own.mjs', ...target }))
  // The answers are in the provider, so that the suite and the targets do not contain them.
  const says = Object.entries(LEAKS).map(([name, { says }]) => `${name}: ${JSON.stringify(says)}`)
  const own = PROVIDER.replaceAll('config.says', `({ ${says.join(', ')} })[prompt.test_id]`)
  const tests = Object.keys(LEAKS).map(id => wordTest(id, 'Go', 'never', { execution: { target: id } }))
  const cwd = suiteFolder({ name: 'forms', tests }, JSON.stringify({ targets }), { 'own.mjs': own })
  const { code, stdout, stderr } = await assay(['eval', '--json', '--log', '--cache', '-o', 'out/x.json'], {
    cwd,
    env,
  })
  expect(code, stderr).toBe(1)
  const explained = await assay(['explain', 'latest', '*'], { cwd })
  const records = recordsOf(cwd)
  expect(records).toHaveLength(Object.keys(LEAKS).length)
  const everything = [
    stdout,
    stderr,
    explained.stdout,
    ...['.assay/runs', '.assay/cache', '.co', 'out'].map(name => folderText(join(cwd, name))),
  ]
  const leaks = Object.values(LEAKS).flatMap(({ leaks }) => leaks)
  const inBase64 = encoded('xxWr-Zq8-Wrapped-Secret').slice(4, 20)
  const all = everything.join('\n').replaceAll('\\n', '')
  expect([...leaks, inBase64].filter(leak => all.includes(leak))).toEqual([])
  expect(records[0]?.output_messages?.[0]?.tool_calls?.[0]?.input).toMatchObject({ pin: '[PIN_CODE]' })
})
