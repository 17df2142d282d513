import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { CommandContext } from '../../../src/cli/command-context.ts'
import { commands } from '../../../src/cli/commands/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { assay, PLAIN_TERMINAL } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { findShell, SHELLS } from '../../support/shells/shells.ts'

/** Each command with its subcommands. */
async function allCommands(): Promise<{ path: string; command: Command }[]> {
  const context = new CommandContext(nodeHost(), PLAIN_TERMINAL)
  const loaded = await Promise.all(commands.map(({ load }) => load(context)))
  const below = (command: Command, path: string): { path: string; command: Command }[] => [
    { path, command },
    ...command.commands.flatMap(inner => below(inner, `${path} ${inner.name()}`)),
  ]
  return loaded.flatMap(command => below(command, command.name()))
}

/** The lines of a script about one command. */
const LINES: Readonly<Record<(typeof SHELLS)[number], (script: string, path: string) => string>> = {
  bash: (script, path) => script.split('\n').find(line => line.trim().startsWith(`'${path}'`)) ?? '',
  zsh: (script, path) => {
    const name = `_assay_${path.replace(/[ -]/g, '_')}() {`
    return script.split(`\n${name}`)[1]?.split('\n}\n')[0] ?? ''
  },
  fish: (script, path) => {
    const at = `'__assay_at \\'${path}\\''`
    return script
      .split('\n')
      .filter(line => line.includes(at))
      .join('\n')
      .replace(/ -([ls]) (\S)/g, (_, kind, name) => ` ${kind === 'l' ? '--' : '-'}${name}`)
  },
}

describe('assay completion', () => {
  it.each(SHELLS)('%s has every command and option of the program', async shell => {
    const { stdout } = await assay(['completion', shell], { cwd: folderWith() })
    const missing = (await allCommands()).flatMap(({ path, command }) => {
      const lines = LINES[shell](stdout, path)
      const names = command.options.flatMap(({ short, long }) => [short, long]).filter(name => name !== undefined)
      const has = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(lines)
      return [...(lines === '' ? [path] : []), ...names.filter(name => !has(name)).map(name => `${path} ${name}`)]
    })
    expect(missing).toEqual([])
    for (const name of Object.keys(manifest.bin)) expect(stdout).toMatch(new RegExp(`^ *comp.*\\b${name}\\b`, 'm'))
  })

  it.each(SHELLS)('%s is the same each time, and has no control characters', async shell => {
    const first = await assay(['completion', shell], { cwd: folderWith() })
    expect(await assay(['completion', shell], { cwd: folderWith() })).toEqual(first)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
    expect(first.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
  })

  it('rejects a shell that it does not know', async () => {
    const { code, stderr } = await assay(['completion', 'csh'], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are bash, zsh, fish.')
  })

  it('names the line for the configuration of each shell in its help', async () => {
    const { stdout } = await assay(['completion', '--help'], { cwd: folderWith() })
    for (const file of ['~/.bashrc', '~/.zshrc', '~/.config/fish/config.fish']) expect(stdout).toContain(file)
  })
})

describe('tests of a shell', () => {
  it('are skipped if it is missing, with a message how to install it, but not in CI', () => {
    const { isSkipped, problem } = findShell('zsh', { PATH: '/nowhere' })
    expect(isSkipped).toBe(true)
    expect(problem).toContain('apt install zsh')
    expect(findShell('zsh', { PATH: '/nowhere', CI: 'true' }).isSkipped).toBe(false)
  })
})
