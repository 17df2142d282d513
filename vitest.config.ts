import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // They need the real agents: `npm run test:clients`.
    exclude: ['tests/clients/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/setup.ts'],
    reporters: process.env['CI'] ? ['dot', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    // Most tests wait for programs that they start.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
