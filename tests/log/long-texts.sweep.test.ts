import { load, type MappingNode, SCALAR_STYLE, type SequenceNode } from 'js-yaml'
import { expect, it } from 'vitest'
import { nodeOf, setValue, textNode, yamlText } from '../../src/log/yaml-nodes.ts'
import { itWithPython, readPython } from '../support/external/python.ts'
import { folderWith } from '../support/program.ts'

const HARD = ' - "it\'s": #\n\n\t\\ $& 你好 😀 \ud83d \u0000\u0085\u2028\ufeff\ufffe\uffff\u007f\r\n  '
const filled = (part: string, length: number) => part.repeat(Math.ceil(length / part.length))

/** Long texts at different depths, in our style and in those of other writers. */
function sample(length: number): { text: string; value: string } {
  const [line, hard, lines] = [filled('x', length), filled(HARD, length), `[${filled('\n  a line', length)}\n]\n`]
  const below = nodeOf({ line }) as MappingNode
  const top = nodeOf({ hard, HARD }) as MappingNode
  for (const mapping of [top, below])
    setValue(mapping, 'block', textNode(lines, SCALAR_STYLE.LITERAL_BLOCK), ['hard', 'line', 'block'])
  setValue(top, 'turns', { ...(nodeOf([0]) as SequenceNode), items: [below] }, ['block', 'HARD', 'turns'])
  const value = { hard, block: lines, HARD, turns: [{ line, block: lines }] }
  return { text: yamlText(top), value: JSON.stringify(value) }
}

it('reads back texts that are too long for the YAML writer', () => {
  const { text, value } = sample(4_000_000)
  // Compared as booleans: a diff of megabytes is unreadable.
  expect(JSON.stringify(load(text)) === value).toBe(true)
})

itWithPython('reads back long texts in Python', async () => {
  const { text, value } = sample(501_000)
  const script = `
import json, yaml
print(json.dumps(yaml.safe_load(open('long.yaml', encoding='utf-8', newline=''))))`
  const read = await readPython(script, '', folderWith({ 'long.yaml': text }))
  expect(JSON.stringify(read) === value).toBe(true)
})
