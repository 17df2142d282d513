import { copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatEvaluators } from '../../src/evaluators/format-evaluators.ts'
import { evaluators } from '../../src/evaluators/index.ts'
import { textEvaluators } from '../../src/evaluators/text-evaluators.ts'
import { textMetrics } from '../../src/evaluators/text-metrics.ts'
import { providers } from '../../src/providers/index.ts'
import { folderWith, run } from '../support/program.ts'

const ROOT = join(import.meta.dirname, '../..')
const RULES: { forbidden: { name: string; to: { pathNot?: string } }[] } = createRequire(import.meta.url)(
  '../../.dependency-cruiser.cjs',
)

/** A project with these files and the configuration of this one. */
function projectWith(files: Record<string, string>): string {
  const folder = folderWith(files)
  for (const name of ['package.json', 'tsconfig.json', 'biome.json', '.dependency-cruiser.cjs', '.gitignore']) {
    copyFileSync(join(ROOT, name), join(folder, name))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

describe('dependency-cruiser reports each seeded violation', () => {
  // Each layer imports the first folder that its rule does not allow.
  const layers = RULES.forbidden.filter(({ name }) => name.startsWith('layer-'))
  const folders = layers.map(({ name }) => name.replace('layer-', ''))
  const seeded: [rule: string, file: string, text: string][] = [
    ...layers.map(({ name, to }): [string, string, string] => {
      const stranger = folders.find(folder => !new RegExp(to.pathNot ?? '').test(`src/${folder}/`))
      return [name, `src/${name.replace('layer-', '')}/knows-too-much.ts`, `import '../${stranger}/stage.ts'\n`]
    }),
    ['no-sibling-evaluators', 'src/evaluators/one.ts', "import './two.ts'\n"],
    ['no-sibling-providers', 'src/providers/one.ts', "import './two.ts'\n"],
    ['lists-only-at-the-edge', 'src/spec/knows-list.ts', "import '../evaluators/index.ts'\n"],
    ['page-stands-alone', 'src/report/knows-the-page.ts', "import '../view/main.ts'\n"],
    ['page-needs-nothing', 'src/view/main.ts', "import 'zod'\n"],
    ['no-cycles', 'src/lib/chicken.ts', "import './egg.ts'\n"],
    ['no-orphans', 'src/lib/unused.ts', 'export const orphan = 1\n'],
    ['only-host-touches-the-world', 'src/run/reads-files.ts', "import 'node:fs'\n"],
    ['no-unresolved', 'src/lib/lost.ts', "import './not-there.ts'\n"],
    ['no-dev-dependencies', 'src/lib/tests-itself.ts', "import 'vitest'\n"],
    ['queue-parts-only-in-queue', 'src/run/queues.ts', "import 'bullmq'\n"],
  ]
  let output = ''

  beforeAll(async () => {
    const folder = projectWith({
      'src/index.ts': seeded
        .filter(([rule]) => rule !== 'no-orphans')
        .map(([, file]) => `import '${file.replace('src/', './')}'\n`)
        .join(''),
      ...Object.fromEntries(folders.map(folder => [`src/${folder}/stage.ts`, 'export {}\n'])),
      'src/model/noun.ts': "import 'node:path'\n",
      'src/providers/two.ts': 'export {}\n',
      'src/evaluators/two.ts': 'export {}\n',
      'src/evaluators/index.ts': "import './one.ts'\n",
      'src/lib/egg.ts': "import './chicken.ts'\n",
      ...Object.fromEntries(seeded.map(([, file, text]) => [file, text])),
    })
    const result = await run('npx', ['depcruise', '--config', '.dependency-cruiser.cjs', 'src'], { cwd: folder })
    expect(result.code).not.toBe(0)
    output = result.stdout
  })

  it.each(seeded)('%s', (rule, file) => {
    expect(output.split('\n').some(line => line.includes(`${rule}: ${file}`))).toBe(true)
  })

  it('allows the pure modules of Node', () => {
    expect(output).not.toContain('only-host-touches-the-world: src/model/noun.ts')
  })
})

describe('the linter reports each seeded violation', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `  console.log(${index})\n`).join('')
  const seeded: [rule: string, file: string, text: string][] = [
    ['noDefaultExport', 'src/lib/a.ts', 'export default 1\n'],
    ['noExcessiveLinesPerFunction', 'src/lib/b.ts', `export function long() {\n${lines(61)}}\n`],
    ['noExcessiveLinesPerFile', 'src/lib/c.ts', 'export {}\n'.repeat(301)],
    ['useFilenamingConvention', 'src/lib/BadName.ts', 'export const a = 1\n'],
    ['noConsole', 'src/cli/d.ts', 'export const a = () => console.log(1)\n'],
    ['noRestrictedGlobals', 'src/run/e.ts', 'export const a = () => process.cwd()\n'],
    ['noRestrictedGlobals', 'src/cli/s.ts', 'export const a = () => process.stdout\n'],
    ['noRestrictedGlobals', 'src/run/f.ts', 'export const a = () => Date.now()\n'],
    ['noRestrictedGlobals', 'src/run/g.ts', "export const a = () => fetch('x')\n"],
    ['noRestrictedGlobals', 'src/run/j.ts', 'export const a = () => setTimeout(() => {}, 1)\n'],
    ['noParameterAssign', 'src/lib/k.ts', 'export function a(b: number) {\n  b = 1\n  return b\n}\n'],
    ['noNonNullAssertion', 'src/lib/l.ts', 'export const a = (b?: string) => b!.length\n'],
    ['useNodejsImportProtocol', 'src/host/m.ts', "import 'fs'\n"],
    ['useImportType', 'src/lib/n.ts', "import { A } from './a.ts'\nexport type B = A\n"],
    ['useConst', 'src/lib/o.ts', 'let a = 1\nexport const b = a\n'],
    [
      'noExcessiveCognitiveComplexity',
      'src/lib/p.ts',
      `export function a(b: number) {\n${'  if (b) if (b > 1) if (b > 2) if (b > 3) return 1\n'.repeat(3)}  return 0\n}\n`,
    ],
    ['noRestrictedImports', 'src/model/r.ts', "import { z } from 'zod'\nexport const a = z.string()\n"],
    ['noExplicitAny', 'src/lib/h.ts', 'export const a = (b: any) => b\n'],
    ['noUnusedImports', 'src/lib/q.ts', "import { b } from './o.ts'\nexport const a = 1\n"],
    ['noUnusedVariables', 'src/lib/i.ts', 'const a = 1\nexport {}\n'],
  ]
  let report: { category: string; path: string }[] = []

  beforeAll(async () => {
    const folder = projectWith(Object.fromEntries(seeded.map(([, file, text]) => [file, text])))
    await run('git', ['init', '-q'], { cwd: folder })
    const args = ['biome', 'lint', '--reporter=json', '--max-diagnostics=none', 'src']
    const { stdout } = await run('npx', args, { cwd: folder })
    report = JSON.parse(stdout).diagnostics.map(
      (diagnostic: { category: string; location: { path: { file?: string } | string } }) => ({
        category: diagnostic.category,
        path: JSON.stringify(diagnostic.location.path),
      }),
    )
  })

  it.each(seeded)('%s in %s', (rule, file) => {
    expect(report.some(({ category, path }) => category.endsWith(`/${rule}`) && path.includes(file))).toBe(true)
  })
})

const KNOWN_FOLDERS =
  /^((lib|model|mocks|diagnostics|host|evaluators|providers|spec|parse|plan|run|record|report|view|transpile|import|log|queue|operations|cli)\/|(index|judge|mock-server)\.ts$)/
const EMPTY_WORDS = /(^|[/-])(utils?|helpers?|common|managers?|types|misc)\.ts$/

describe('the source files', () => {
  const sources = (readdirSync(join(ROOT, 'src'), { recursive: true }) as string[])
    .filter(file => file.endsWith('.ts'))
    .map(file => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }))
  const types = [...evaluators, ...providers].map(({ type }) => type)
  // Blocks of messages and entries of folders can be a `file` too.
  const unambiguous = types.filter(type => type !== 'file').join('|')
  const typeCheck = new RegExp(
    `(\\b(type|provider)\\s*(===|!==)|case)\\s*['"](${unambiguous})['"]|(check|evaluator)\\.type\\s*[!=]==\\s*['"]file['"]`,
  )

  it('the pattern for type checks matches seeded ones', () => {
    expect(typeCheck.test("if (check.type === 'llm_judge')")).toBe(true)
    expect(typeCheck.test("if (check.type === 'file')")).toBe(true)
    expect(typeCheck.test("switch (type) { case 'cli': }")).toBe(true)
  })

  it('are in known folders and have no catch-all names', () => {
    const strayFiles = (files: string[]) => files.filter(file => !KNOWN_FOLDERS.test(file) || EMPTY_WORDS.test(file))
    expect(
      strayFiles(['stuff/a.ts', 'lib/utils.ts', 'lib/string-utils.ts', 'model/types.ts', 'lib/nearest.ts']),
    ).toHaveLength(4)
    expect(strayFiles(sources.map(({ file }) => file.replaceAll('\\', '/')))).toEqual([])
  })

  it('never compare with the type of an evaluator or provider', () => {
    expect(sources.filter(({ text }) => typeCheck.test(text)).map(({ file }) => file)).toEqual([])
  })

  const inTables = [...textEvaluators, ...textMetrics, ...formatEvaluators]

  it.each(['evaluators', 'providers'])('of src/%s are named after their type', family => {
    const list = family === 'evaluators' ? evaluators.filter(each => !inTables.includes(each)) : providers
    const expected = list.map(({ type }) => `${type.replaceAll('_', '-')}.ts`)
    const files = readdirSync(join(ROOT, 'src', family)).filter(file => file.endsWith('.ts'))
    const tables = ['text-evaluators.ts', 'text-metrics.ts', 'format-evaluators.ts']
    const others = [...tables, 'index.ts', 'define-evaluator.ts', 'define-provider.ts', 'lookup.ts']
    expect(files.filter(file => !others.includes(file)).sort()).toEqual(expected.sort())
  })
})

describe('the root of the repository', () => {
  const KNOWN = [
    ...['.dependency-cruiser.cjs', '.editorconfig', '.gitattributes', '.gitignore', '.npmrc', 'biome.json'],
    ...['knip.config.ts', 'package-lock.json', 'package.json', 'tsconfig.build.json', 'tsconfig.json'],
    ...['action.yml', 'vitest.clients.config.ts', 'vitest.config.ts'],
    ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ]

  it('has only known files', async () => {
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    const files = stdout.split('\0').filter(file => file !== '' && !file.includes('/'))
    expect(files).toContain('package.json')
    const strays = files.filter(file => !KNOWN.includes(file))
    expect(strays, 'remove these files, or add them to KNOWN; does a test write them?').toEqual([])
  })
})
