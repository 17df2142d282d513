import { Argument, Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { CommandEntry } from '../command-entry.ts'
import { EXIT } from '../exit-codes.ts'
import { example } from '../options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

const HELP = `
Add one line to the configuration of your shell:
  bash  eval "$(assay completion bash)"         in ~/.bashrc
  zsh   eval "$(assay completion zsh)"          in ~/.zshrc, after compinit
  fish  assay completion fish | source          in ~/.config/fish/config.fish
${example('assay completion bash', 'assay completion fish > ~/.config/fish/completions/assay.fish')}`

export function completionCommand(context: CommandContext, commands: readonly CommandEntry[]): Command {
  return new Command('completion')
    .description('Print a script that completes commands, options and names in a shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) =>
      context.run(async () => {
        const { completedCommands } = await import('../completion/command-tree.ts')
        const script = await SCRIPTS[shell]()
        context.terminal.out(script(await completedCommands(commands, context)))
        return EXIT.ok
      }),
    )
}

const SCRIPTS = {
  bash: async () => (await import('../completion/bash.ts')).bashScript,
  zsh: async () => (await import('../completion/zsh.ts')).zshScript,
  fish: async () => (await import('../completion/fish.ts')).fishScript,
}
