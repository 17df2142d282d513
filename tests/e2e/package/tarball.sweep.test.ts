import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { TEMPLATES } from '../../../src/operations/init-templates.ts'
import { folderWith, run } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('the packed tarball', () => {
  let files: string[] = []
  let sizes = { size: 0, unpackedSize: 0 }
  const cwd = folderWith({ 'package.json': '{"type": "module"}' })
  const installed = join(cwd, 'node_modules/assay')

  beforeAll(async () => {
    const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', cwd], { cwd: ROOT })
    const [report] = JSON.parse(packed.stdout)
    sizes = report
    files = report.files.map(({ path }: { path: string }) => path)
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', join(cwd, report.filename), '-C', installed, '--strip-components=1'], { cwd })
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(cwd, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules', name), link)
    }
  })

  it('contains only the build and the committed docs, examples and schemas', () => {
    const chunk = /^dist\/chunks\/[\w-]+-[\w-]{8}\.cjs$/
    const types = /^dist\/types\/(.*)\.d\.ts$/
    const rest = files.filter(file => !chunk.test(file) && !types.test(file))
    // The pictures of the guide are for its readers in the repository.
    // Pictures, pages for those who change the program, and those of diagnostics, which say themselves what to do.
    const unpacked = [
      'docs/guide/images',
      'docs/decisions',
      'docs/performance-figures.md',
      'docs/reference/diagnostics',
    ]
    const left = unpacked.map(path => `:!${path}`)
    const committed = execFileSync('git', ['ls-files', '-z', 'docs', 'examples', 'schema', ...left], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const programs = ['api.cjs', 'assay.cjs', 'index.js', 'judge.js', 'mock-server.js', 'start.cjs'].map(
      name => `dist/${name}`,
    )
    const own = ['LICENSE', 'README.md', 'package.json', ...programs, 'dist/LICENSES']
    expect(rest.sort()).toEqual(
      [...own, ...committed.split('\0').filter(file => file !== '' && !file.endsWith('.gitignore'))].sort(),
    )
    const typed = files.flatMap(file => types.exec(file)?.[1] ?? [])
    expect(typed.filter(file => !existsSync(join(ROOT, 'src', `${file}.ts`)))).toEqual([])
    expect(typed).toEqual(expect.arrayContaining(['index', 'judge']))
    expect(files.filter(file => chunk.test(file)).length).toBeGreaterThan(10)
  })

  it('contains no local path and no source map', () => {
    const told = (file: string) => readFileSync(join(installed, file), 'utf8')
    const texts = files.filter(file => !file.endsWith('.png'))
    expect(texts.filter(file => told(file).includes(ROOT) || told(file).includes('sourceMapping' + 'URL'))).toEqual([])
    expect(told('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  })

  it('is small', () => {
    expect(sizes.size).toBeLessThan(2_200_000)
    expect(sizes.unpackedSize).toBeLessThan(9_000_000)
  })

  it('installs few packages, none with an install script', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    const installedWithIt = Object.entries<{ dev?: true; devOptional?: true; hasInstallScript?: true }>(
      packages,
    ).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    const names = installedWithIt.map(([path]) => path.replace('node_modules/', ''))
    expect(names.sort()).toEqual(Object.keys(manifest.dependencies).sort())
    expect(installedWithIt.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([])
    expect(Object.keys(manifest.scripts).filter(name => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
  })

  it('has the licence of every package that is built in', () => {
    const listed = readFileSync(join(installed, 'dist/LICENSES'), 'utf8')
    const names = listed.split(`\n${'-'.repeat(80)}\n\n`).flatMap(part => part.split('\n', 1)[0]?.split(', ') ?? [])
    expect(names).toEqual(
      expect.arrayContaining(['@ai-sdk/openai', 'ajv', 'commander', 'js-yaml', 'preact', 'undici', 'zod']),
    )
    expect(
      listed.match(/Permission is hereby granted|Licensed under the Apache License|Redistribution and use/g)?.length,
    ).toBeGreaterThan(3)
  })

  it('runs under both names', async () => {
    for (const bin of Object.values(manifest.bin)) {
      const { code, stdout } = await run(process.execPath, [join(installed, bin), '--version'], { cwd })
      expect([code, stdout]).toEqual([0, `${manifest.version}\n`])
    }
    expect(Object.keys(manifest.bin)).toEqual(['assay', 'agentv'])
    expect(readFileSync(join(installed, 'dist/assay.cjs'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it.each(TEMPLATES)(
    'has the template %s, which passes in an empty folder without keys and network',
    async template => {
      const folder = folderWith()
      const offline = `data:text/javascript,import net from 'node:net';net.Socket.prototype.connect=()=>{throw new Error('offline')}`
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        NODE_OPTIONS: `--import "${offline.replaceAll(' ', '%20')}"`,
      }
      const assay = (...args: string[]) =>
        run('env', ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...args], { cwd: folder })
      const program = [process.execPath, join(installed, 'dist/assay.cjs')]
      expect(await assay(...program, 'init', '--template', template)).toMatchObject({ code: 0, stderr: '' })
      const { code, stderr } = await assay(...program, 'eval')
      expect([code, stderr]).toEqual([0, expect.stringContaining('2 tests: 2 passed')])
    },
  )

  it('--version loads no dependency', async context => {
    // Node 20 cannot list the modules that it loads.
    if (!('registerHooks' in module)) return context.skip('needs module.registerHooks, which came with Node 22')
    const hook = join(cwd, 'hook.mjs')
    writeFileSync(
      hook,
      "import module from 'node:module'\nmodule.registerHooks({ resolve: (specifier, context, next) => { console.error('load', specifier); return next(specifier, context) } })\n",
    )
    const args = ['--import', hook, join(installed, 'dist/assay.cjs'), '--version']
    const { code, stderr } = await run(process.execPath, args, { cwd })
    const loaded = stderr.split('\n').flatMap(line => (line.startsWith('load ') ? [line.slice(5)] : []))
    expect(code).toBe(0)
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.filter(name => Object.keys(manifest.dependencies).includes(name))).toEqual([])
  })

  it('has types, and can be imported', async () => {
    writeFileSync(
      join(cwd, 'use.ts'),
      "import { loadSuite, type Suite } from 'assay'\n\nconst { suite, diagnostics } = await loadSuite('EVAL.yaml')\nconst loaded: Suite | undefined = suite\nconsole.log(loaded?.tests[0]?.at.location().line, diagnostics.length)\n",
    )
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const args = [
      tsc,
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
      '--typeRoots',
      join(ROOT, 'node_modules/@types'),
      'use.ts',
    ]
    const compiled = await run(process.execPath, args, { cwd })
    expect([compiled.code, compiled.stdout]).toEqual([0, ''])
    writeFileSync(join(cwd, 'EVAL.yaml'), 'name: a\ntests:\n  - {id: a, criteria: c, input: i}\n')
    expect(await run(process.execPath, ['use.js'], { cwd })).toMatchObject({ code: 0, stdout: '3 0\n' })
  })
})
