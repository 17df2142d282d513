import { runComparisonText } from '../text/run-comparison-text.ts'
import type { ComparisonFormatter } from './comparison-formatter.ts'

export const text: ComparisonFormatter = runComparisonText
