import type { Mistakes } from './mistakes.ts'
import { readYaml } from './read-yaml.ts'
import type { Source } from './source.ts'
import { SourceNode } from './source-node.ts'
import { reportProblems } from './yaml-problem.ts'

/** The value of a YAML file and its root node; undefined after a mistake that leaves nothing to look at. */
export function readDocument(source: Source, mistakes: Mistakes): { value: unknown; at: SourceNode } | undefined {
  const { document, problems } = readYaml(source.text)
  reportProblems(problems, source, 0, mistakes)
  return document && { value: document.value, at: SourceNode.ofYaml(source, document.tree) }
}
