import { Argument, Command } from 'commander'
import type { SchemaName } from '../../operations/schemas.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { example } from '../options.ts'

const NAMES: readonly SchemaName[] = ['eval', 'targets', 'config', 'answer', 'result', 'judge-input', 'judge-output']

export function schemaCommand(context: CommandContext): Command {
  return new Command('schema')
    .description('Print a JSON Schema, for editors and other tools.')
    .addArgument(new Argument('[name]', 'name of the schema').choices(NAMES).default('eval'))
    .addHelpText('after', example('assay schema > eval.schema.json', 'assay schema targets'))
    .action((name: SchemaName) =>
      context.run(async () => {
        const { schemas } = await import('../../operations/schemas.ts')
        context.terminal.out(schemas[name]())
        return EXIT.ok
      }),
    )
}
