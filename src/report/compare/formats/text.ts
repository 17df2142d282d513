import { runComparisonText } from '../run-comparison-text.ts'
import type { ComparisonFormatter } from './comparison-formatter.ts'

export const text: ComparisonFormatter = runComparisonText
