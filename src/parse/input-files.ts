import type { Fields } from './keys.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

/** The fields of a test whose `input_files` can be read; a mistake, and the fields without them, where they cannot. */
export function withGoodInputFiles(fields: Fields, at: SourceNode, mistakes: Mistakes): Fields {
  if (fields['input_files'] === undefined) return fields
  const problem = problemOf(fields)
  if (!problem) return fields
  const [message, hint] = problem
  mistakes.add({ code: 'bad-input-files', at: at.child('input_files'), part: 'key', message, hint })
  const { input_files: _, ...rest } = fields
  // A missing `input` has been said already.
  return rest['input'] === undefined ? { ...rest, input: '' } : rest
}

const TO_BLOCKS = 'write each file as a block of the message: `- {type: file, value: PATH}`'

function problemOf({ input, input_files: files }: Fields): readonly [string, string] | undefined {
  if (!isListOfPaths(files))
    return ['`input_files` must be a list of paths', 'write each path on a line of its own, after `- `']
  if (input === undefined)
    return ['`input_files` needs an `input`', 'say in `input` what the agent should do with the files']
  if (Array.isArray(input)) return ['`input_files` does not go with messages', TO_BLOCKS]
  if (input === '')
    return [
      '`input_files` needs an `input` that is not empty',
      'say in `input` what the agent should do with the files',
    ]
  return undefined
}

function isListOfPaths(files: unknown): boolean {
  return Array.isArray(files) && files.length > 0 && files.every(file => typeof file === 'string' && file !== '')
}
