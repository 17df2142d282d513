import { testLimits } from './open-file-limits.ts'

// The sweep has more of them.
testLimits([20, 34, 80])
