import { defineConfig } from 'vitest/config'

/** The tests with the real coding agents, which are large: they run when somebody asks for them. */
export default defineConfig({
  test: {
    include: ['tests/clients/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts', 'tests/clients/install.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
