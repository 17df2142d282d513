import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { reportPageForVite } from './scripts/report-page.mjs'

const shared = {
  setupFiles: ['tests/support/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

const plugins = [reportPageForVite()]

/** Tests of what the built program does with its arguments and files: the same on every Node. */
const COMMANDS = [
  ...['answers', 'cache', 'custom-targets', 'options', 'order', 'places', 'prompts', 'replay', 'resume', 'secrets'].map(
    name => `eval-${name}`,
  ),
  ...[
    'eval-shards',
    'eval-targets',
    'eval-http-terminal',
    'explain',
    'hostile',
    'log-disk',
    'log-processes',
    'log-python',
    'models-before',
    'models-keys',
  ],
  ...[
    'transpile',
    'transpile-hostile',
    'evals-json',
    'report',
    'report-page',
    'report-page-hostile',
    'triggers',
    'targets',
    'validate',
  ],
  ...['commands', 'eval', 'hostile', 'looks', 'replay', 'suites'].map(name => `log-${name}`),
].map(name => `tests/e2e/${name}.test.ts`)

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: process.env['CI'] ? ['dot', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    // Most tests wait for programs that they start.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Tests of the built program keep servers and folders of their own.
      { plugins, test: { ...shared, name: 'programs', include: ['tests/e2e/**/*.test.ts'], exclude: COMMANDS } },
      { plugins, test: { ...shared, name: 'commands', include: COMMANDS } },
      // The others share what they import, which takes longer than most of them.
      {
        plugins,
        test: {
          ...shared,
          name: 'parts',
          include: ['tests/**/*.test.ts'],
          // `npm run test:clients` has the real agents.
          exclude: ['tests/e2e/**', 'tests/clients/**'],
          isolate: false,
        },
      },
    ],
  },
})
