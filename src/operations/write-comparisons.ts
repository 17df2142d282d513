import { PLAIN } from '../lib/palette.ts'
import type { Host } from '../model/host.ts'
import type { CompareGateOptions } from '../report/compare/compare-gate.ts'
import type { RunComparison } from '../report/compare/compare-runs.ts'
import { comparisonFormats } from '../report/compare/formats/index.ts'
import { formatOf, requireFiles, type WrittenReports, writeEach, writeTexts } from './write-reports.ts'

/** Throws before runs are read where a comparison could not be written. */
export async function checkComparisonOutputs(files: readonly string[] | undefined, host: Host): Promise<void> {
  await requireFiles(files, comparisonFormats, host)
}

/** Writes a comparison, to each file in the format of its extension; one that fails does not stop the others. */
export async function writeComparisons(
  files: readonly string[] | undefined,
  compared: RunComparison,
  gates: CompareGateOptions,
  host: Host,
): Promise<WrittenReports> {
  return writeEach(files, async file => {
    const format = await formatOf(comparisonFormats, file).load()
    return writeTexts(file, [format(compared, gates, PLAIN)], host)
  })
}
