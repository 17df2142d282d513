import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { shortHash } from '../lib/sha256.ts'
import { schemaText } from './schemas.ts'

const MARK = /^Written by assay (\S+), hash ([0-9a-f]+)\. `assay init` replaces it, unless it is edited\.$/

/** A JSON Schema with a comment by which a later version of the program knows its own, unedited file. */
export function markedSchema(schema: string, version: string): string {
  const { $schema, ...rest } = JSON.parse(schema) as Record<string, unknown>
  const $comment = `Written by assay ${version}, hash ${shortHash(schema)}. \`assay init\` replaces it, unless it is edited.`
  return schemaText({ $schema, $comment, ...rest })
}

/** The version of the program that wrote a schema; undefined where the text is not, or no longer, as it was written. */
export function writtenBy(text: string): string | undefined {
  const schema = parseJson(text)
  const { $comment, ...rest } = isMapping(schema) ? schema : {}
  const version = MARK.exec(String($comment))?.[1]
  return version !== undefined && markedSchema(schemaText(rest), version) === text ? version : undefined
}

/** Whether a version such as 1.10.0 comes after another. */
export function isNewer(version: string, than: string): boolean {
  const [parts, others] = [version, than].map(each => each.split(/[.-]/).map(Number)) as [number[], number[]]
  const index = parts.findIndex((part, nth) => part !== others[nth])
  return index >= 0 && (parts[index] ?? 0) > (others[index] ?? 0)
}
