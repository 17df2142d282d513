import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, type Result, run } from '../support/program.ts'

const SCRIPT = readFileSync(join(import.meta.dirname, '../../scripts/check.mjs'), 'utf8')
const TOOLS = ['biome', 'depcruise', 'knip', 'tsc', 'vitest']

/** Runs the script in a folder where each tool prints its arguments, and runs a line of shell if it has one. */
function check(lines: Readonly<Record<string, string>> = {}): Promise<Result> {
  const tools = TOOLS.map(name => [`node_modules/.bin/${name}`, `#!/bin/sh\necho ${name} "$@"\n${lines[name] ?? ''}\n`])
  const folder = folderWith({
    ...Object.fromEntries(tools),
    'scripts/check.mjs': SCRIPT,
    'scripts/build.mjs': lines['build'] ?? '',
  })
  for (const name of TOOLS) chmodSync(join(folder, 'node_modules/.bin', name), 0o755)
  return run(process.execPath, ['scripts/check.mjs'], { cwd: folder })
}

/** The lines of the output, without seconds. */
function linesOf(stdout: string): string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/ \(\d+ s\)$/, ''))
}

describe('npm run check', () => {
  it('runs the tests after the build, and shows the output of the tests alone', async () => {
    const { code, stdout } = await check()
    expect(code).toBe(0)
    const lines = linesOf(stdout)
    const tests = 'vitest run --exclude tests/**/*.sweep.test.ts'
    expect(lines.indexOf(tests)).toBeGreaterThan(lines.indexOf('ok build'))
    expect(lines.sort()).toEqual([
      'ok build',
      'ok dead',
      'ok dead code of the package',
      'ok layers',
      'ok lint',
      'ok types',
      'ok types of the page',
      tests,
    ])
  })

  it.each([
    ['biome', 'echo "bad style" >&2; exit 1', 'bad style', 'lint'],
    ['tsc', '[ "$1" = --noEmit ] || exit 2', 'tsc --project src/view', 'types of the page'],
    ['knip', '[ "$1" != --production ] || exit 1', 'knip --production', 'dead code of the package'],
    ['depcruise', 'kill -9 $$', 'depcruise --config', 'layers'],
  ])('fails if a check fails, and shows its output behind that of the tests: %s', async (tool, line, output, name) => {
    const { code, stdout } = await check({ [tool]: line, vitest: 'echo all tests passed' })
    expect(code).toBe(1)
    expect(linesOf(stdout)).toContain(`FAILED ${name}`)
    const end = stdout.slice(stdout.indexOf('all tests passed'))
    expect(end).toMatch(new RegExp(`\\n${name}:\\n.*${output}.*\\nfailed: ${name}\\n$`, 's'))
  })

  it('fails without tests if the build fails, and shows its output', async () => {
    const { code, stdout } = await check({ build: 'throw new Error("no build")' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/\nbuild:\n.*no build.*\nfailed: build\n$/s)
    expect(stdout).not.toContain('vitest')
  })

  it('names all that failed, tests as well', async () => {
    const { code, stdout } = await check({ biome: 'exit 1', vitest: 'exit 1' })
    expect(code).toBe(1)
    expect(/\nfailed: (.*)\n$/.exec(stdout)?.[1]?.split(', ').sort()).toEqual(['lint', 'tests'])
  })

  it.each(['exit 1', 'kill -9 $$'])('fails if the tests fail: %s', async line => {
    expect((await check({ vitest: line })).code).not.toBe(0)
  })

  it('runs the checks of the scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    const commands = ['lint', 'types', 'layers', 'dead', 'build'].flatMap(name => scripts[name].split(' && '))
    for (const command of commands) expect(SCRIPT).toContain(`'${command}'`)
    expect(scripts.test).toBe(`npm run build && ${/^const TESTS = "(.*)"$/m.exec(SCRIPT)?.[1]}`)
  })
})
