import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { commands } from '../../../src/cli/commands/index.ts'
import { REPORT_FORMATS } from '../../../src/cli/options.ts'
import { itWithTerminal, runOnTerminal } from '../../support/external/terminal.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { describeInShells, offersOf } from '../../support/shells/shells.ts'

const PROJECT = {
  'EVAL.yaml': 'tests:\n  - id: greets\n    input: a\n  - input: b\n    id: "knows"  # a comment\n',
  'evals/more.eval.yaml': 'tests:\n  - {input: c}\n  - id: more\n',
  '.assay/targets.yaml': "targets:\n  - name: default\n    provider: mock\n  - provider: mock\n    name: 'other'\n",
  '.assay/runs/20261116-232856-beqm/run.json': '{}',
  '.assay/runs/20261117-101010-abcd/run.json': '{}',
  '.assay/runs/latest': '20261117-101010-abcd',
  '.assay/baselines/main.json': '{}',
  '.co/evals/say_hello.yaml': 'name: say_hello\n',
  'report.md': '',
}

describeInShells('completion', shell => {
  let script = ''
  const project = () => folderWith(PROJECT)
  const offers = (line: string, cwd: string) => offersOf(shell, script, line, cwd)

  beforeAll(async () => {
    const { code, stdout, stderr } = await assay(['completion', shell], { cwd: folderWith() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    script = join(folderWith({ script: stdout }), 'script')
  })

  it('offers every command', async () => {
    expect(await offers('assay ', project())).toEqual([...commands.map(({ name }) => name), 'help'].sort())
    expect(await offers('assay re', project())).toEqual(['report'])
    expect(await offers('assay log e', project())).toEqual(['eval', 'expect'])
    expect(await offers('assay help li', project())).toEqual(['list'])
  })

  it('offers the options of the command', async () => {
    expect(await offers('assay list --', project())).toEqual(['--help', '--json'])
    expect(await offers('assay explain latest --runs', project())).toEqual(['--runs-dir'])
    expect(await offers('assay log expect --t', project())).toEqual(['--text', '--turn'])
    expect(await offers('assay --ver', project())).toEqual(['--version'])
    expect(await offers('assay run --until', project())).toEqual(['--until-decided'])
  })

  it('offers the choices of an option and of an argument', async () => {
    const formats = [...REPORT_FORMATS].sort()
    expect(await offers('assay report latest --format ', project())).toEqual(formats)
    expect(await offers('assay report latest --format=', project())).toEqual(formats)
    expect(await offers('assay report --format=jun', project())).toEqual(['junit'])
    expect(await offers('assay schema judge-', project())).toEqual(['judge-input', 'judge-output'])
    expect(await offers('assay completion ', project())).toEqual(['bash', 'fish', 'zsh'])
  })

  it('offers names of the project, also from a folder below', async () => {
    const cwd = project()
    const below = join(cwd, 'a/b')
    mkdirSync(below, { recursive: true })
    for (const folder of [cwd, below]) {
      expect(await offers('assay report 2026', folder)).toEqual(['20261116-232856-beqm', '20261117-101010-abcd'])
      expect(await offers('assay eval --resume=l', folder)).toEqual(['latest'])
      expect(await offers('assay run --target ', folder)).toEqual(['default', 'other'])
      expect(await offers('assay targets ', folder)).toEqual(['default', 'other'])
      expect(await offers('assay log show ', folder)).toEqual(['say_hello'])
    }
    expect(await offers('assay compare latest 20261116', cwd)).toEqual(['20261116-232856-beqm'])
    expect(await offers('assay compare m', cwd)).toEqual(['main'])
    expect(await offers('assay eval --against m', cwd)).toEqual(['main'])
    expect(await offers('assay baseline rm m', cwd)).toEqual(['main'])
    expect(await offers('assay explain latest ', cwd)).toEqual(['greets', 'knows', 'more'])
    expect(await offers('assay eval --test-id=g', cwd)).toEqual(['greets'])
  })

  it('takes the value of an option for no argument', async () => {
    const cwd = project()
    expect(await offers('assay explain --runs-dir .assay/runs 20261117', cwd)).toEqual(['20261117-101010-abcd'])
    expect(await offers('assay log --help ex', cwd)).toEqual(['expect'])
    // An option of one command may be a flag of another one.
    expect(await offers('assay eval --targets validate --until', cwd)).toEqual(['--until-decided'])
    expect(await offers('assay validate --targets --format js', cwd)).toEqual(['json'])
  })

  it('offers no options where a number follows, and none behind --', async () => {
    expect(await offers('assay eval --trials ', project())).toEqual([])
    expect((await offers('assay list -- --', project())).filter(word => word.startsWith('--'))).toEqual([])
  })

  it('offers nothing of another command or of an unknown one', async () => {
    expect(await offers('assay unknown --until', folderWith())).toEqual([])
    expect(await offers('assay schema eval t', folderWith())).toEqual([])
  })

  it('offers nothing outside of a project, without an error', async () => {
    expect(await offers('assay eval --target ', folderWith())).toEqual([])
    expect(await offers('assay eval --test-id ', folderWith())).toEqual([])
    expect(await offers('assay log show ', folderWith())).toEqual([])
  })

  it('runs no command in a name, and offers only plain names', async () => {
    const commands = ['$(touch pwned)', '`touch pwned`', ';touch pwned;', "'; touch pwned; '", '"; touch pwned; "']
    const names = [...commands, '-rf', 'a b', '*', '~root', '${IFS}', '\\', '!!', '<(touch pwned)']
    const runs = names.map(name => [`.assay/runs/${name}/run.json`, '{}'])
    const logs = names.map(name => [`.co/evals/${name}.yaml`, ''])
    const folder = folderWith({
      ...Object.fromEntries([...runs, ...logs]),
      '.assay/runs/plain/run.json': '{}',
      '.assay/targets.yaml': `targets:\n${[...names, 'plain'].map(name => `  - name: ${name}\n`).join('')}`,
      'EVAL.yaml': `tests:\n${[...names, 'plain'].map(name => `  - id: ${name}\n`).join('')}`,
      '$(touch pwned).eval.yaml': 'tests:\n  - id: plain\n',
    })
    // Reading a pipe would never end.
    execFileSync('mkfifo', [join(folder, 'pipe.eval.yaml')])
    expect(await offers('assay eval --resume=pl', folder)).toEqual(['plain'])
    // The beginning of a name up to a space is plain.
    for (const line of ['assay eval --target ', 'assay targets ', 'assay eval --test-id ', 'assay explain latest '])
      expect(await offers(line, folder)).toEqual(['a', 'plain'])
    expect(await offers('assay log show ', folder)).toEqual([])
    for (const typed of ['', '--runs-dir ', '-o ', '--resume=', ...commands, ...commands.map(name => `${name} `)])
      await offers(`assay eval ${typed}`, folder)
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })

  itWithTerminal('completes a line that is typed, for each name of the program', async () => {
    const started = {
      bash: ['bash', '--norc', '--noprofile', '-i'],
      zsh: ['zsh', '-f', '-i'],
      fish: ['fish', '-N', '-i'],
    }
    const define = shell === 'fish' ? 'function NAME; echo "<$argv>"; end' : 'NAME() { echo "<$*>"; }'
    const init = shell === 'zsh' ? 'autoload -Uz compinit; compinit -u -D; ' : ''
    for (const name of Object.keys(manifest.bin)) {
      const { output, problem } = await runOnTerminal({
        command: started[shell],
        cwd: project(),
        env: { TERM: 'xterm', HOME: folderWith() },
        steps: [
          { expect: '', send: `${init}${define.replace('NAME', name)}; source ${script}; echo rea''dy\r` },
          { expect: 'ready', send: `${name} rep\t20261116\t--form\tjuni\t-o repo\t\r` },
          { expect: '>', send: 'exit\r' },
        ],
      })
      expect(problem).toBeNull()
      expect(output).toMatch(/<report 20261116-232856-beqm --format[ =]junit -o report\.md>/)
    }
  })
})
