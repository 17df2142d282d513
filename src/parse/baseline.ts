import { compositeKey } from '../lib/collections.ts'
import { findJsonError, parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { quoteCode } from '../lib/text/quote.ts'
import { BASELINE_VERSION, type Baseline, baselineSchema } from '../model/baseline.ts'
import type { Diagnostics } from './diagnostics.ts'
import type { Files } from './files.ts'
import { checkShape } from './shape/check-shape.ts'
import { readDocument } from './yaml/read-document.ts'
import type { Source } from './yaml/source.ts'

/** Reads a baseline whole; returns undefined if it has errors. */
export async function readBaseline(
  file: string,
  files: Files,
  diagnostics: Diagnostics,
): Promise<Baseline | undefined> {
  const source = await files.read(file)
  return source && parseBaseline(source, diagnostics)
}

/** Parses a baseline. Locations are computed only if it has errors. */
export function parseBaseline(source: Source, diagnostics: Diagnostics): Baseline | undefined {
  const before = diagnostics.errors
  reportConflicts(source, diagnostics)
  if (diagnostics.errors > before) return undefined
  const parsed = baselineSchema().safeParse(parseJson(source.text))
  if (parsed.success) return reportDuplicates(parsed.data, source, diagnostics) ? undefined : parsed.data
  const document = readDocument(source, diagnostics)
  if (!document) return undefined
  const { value, at } = document
  const version = isMapping(value) ? value['assay_baseline'] : undefined
  if (version !== undefined && version !== BASELINE_VERSION)
    diagnostics.add({
      code: 'baseline-version',
      at: at.child('assay_baseline'),
      message: `format ${quoteCode(JSON.stringify(version))} of a baseline, where ${BASELINE_VERSION} is expected`,
      hint: 'replace it with this version of Assay: `assay eval`, then `assay baseline save --replace`',
    })
  else checkShape(baselineSchema(), value, at, diagnostics)
  // YAML that is no JSON, such as a trailing comma.
  if (diagnostics.errors === before) reportSyntax(source, diagnostics)
  return undefined
}

function reportSyntax(source: Source, diagnostics: Diagnostics): void {
  const { offset, reason } = findJsonError(source.text)
  diagnostics.add({
    code: 'json-syntax',
    at: source.location(offset, 1),
    message: `invalid JSON: ${reason}`,
    hint: 'replace the baseline: `assay eval`, then `assay baseline save --replace`',
  })
}

/** Whether a JSON value looks like a baseline, of any version. */
export function isBaseline(value: unknown): boolean {
  return isMapping(value) && 'assay_baseline' in value
}

const CONFLICT_MARKER = /^(?:<{7}|>{7}|={7}|\|{7})(?: .*)?$/gm

function reportConflicts(source: Source, diagnostics: Diagnostics): void {
  const [first, ...others] = source.text.matchAll(CONFLICT_MARKER)
  if (!first) return
  diagnostics.add({
    code: 'baseline-conflict',
    at: source.location(first.index, first[0].length),
    message: others.length > 1 ? 'conflict markers of git, here and below' : 'a conflict marker of git',
    hint: 'finish the merge of the other files, then run `assay eval` and `assay baseline save`, which replaces this one',
  })
}

/** Git may keep the lines of both branches. */
function reportDuplicates({ tests }: Baseline, source: Source, diagnostics: Diagnostics): boolean {
  const seen = new Set<string>()
  const duplicates = tests.flatMap(({ suite, file, test_id, target }, index) => {
    const key = compositeKey(suite, file, test_id, target)
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [{ index, test_id, target }]
  })
  const at = duplicates.length > 0 ? readDocument(source, diagnostics)?.at : undefined
  for (const { index, test_id, target } of duplicates)
    diagnostics.add({
      code: 'duplicate-result',
      at: at?.child('tests', index) ?? source.location(0, 1),
      message: `a second result of ${quoteCode(test_id)} on ${quoteCode(target)}`,
      hint: 'replace the baseline: `assay eval`, then `assay baseline save --replace`',
    })
  return duplicates.length > 0
}
