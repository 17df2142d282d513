import { testLimits } from './open-file-limits.ts'

testLimits([22, 24, 28, 44, 54, 64])
