import { compositeKey, groupBy } from '../lib/collections.ts'
import type { Calibration, KnownCalibration } from '../model/calibration.ts'
import type { Host } from '../model/host.ts'
import { isLabelOf, type Label } from '../model/label.ts'
import { readCalibrations } from '../record/calibration-files.ts'
import { labelPath, readLabels } from '../record/label-files.ts'
import { findSettingsFolder } from '../record/project-folders.ts'
import { opinionOf } from './calibrate/match-labels.ts'

/** Reads the calibrations of the project. Throws on a file that cannot be read whole: a report without it would be another one. */
export async function projectCalibrations(host: Host): Promise<readonly KnownCalibration[]> {
  const { folder } = await findSettingsFolder(host)
  const calibrations = await readCalibrations(folder, host)
  return Promise.all(
    calibrations.map(async calibration => {
      const labels = await readLabels(labelPath(folder, calibration.suite), host)
      // Labels may be kept elsewhere: a project without a file of them says nothing.
      return labels.length > 0 && hasChangedLabels(calibration, labels)
        ? { ...calibration, has_changed_labels: true }
        : calibration
    }),
  )
}

/** Whether people no longer say of an answer what the calibration has. New labels of other answers change nothing. */
function hasChangedLabels({ labelled }: Calibration, labels: readonly Label[]): boolean {
  const keyOf = (label: Pick<Label, 'test_id' | 'answer_sha256'>) => compositeKey(label.test_id, label.answer_sha256)
  const byAnswer = groupBy(labels, keyOf)
  return labelled.some(entry => {
    const own = (byAnswer.get(keyOf(entry)) ?? []).filter(label => isLabelOf(label, entry))
    return opinionOf(own).passes !== entry.passes
  })
}
