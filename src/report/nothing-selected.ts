import { filterText, type TestFilter } from '../model/test-filter.ts'
import { UserError } from '../model/user-error.ts'

/** A filter that selects no test of a run. */
export class NothingSelected extends UserError {
  constructor(filter: TestFilter) {
    super(
      `No tests match: none of the recorded tests is selected by ${filterText(filter)}.`,
      'Leave out the filter, or use an id or a tag of the run: `assay report RUN --by tag` shows its tags.',
    )
  }
}
