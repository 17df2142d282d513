import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reportPageForVite } from './scripts/report-page.mjs'

const shared = {
  setupFiles: ['tests/support/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

const plugins = [reportPageForVite()]

/** Tests of what the built program does with its arguments and files, and of texts that it writes: the same on every Node. */
const COMMANDS = [
  ...[
    'answers',
    'cache',
    'custom-targets',
    'identity',
    'judged-answers',
    'reruns',
    'options',
    'order',
    'places',
    'prompts',
    'replay',
    'resume',
    'secrets',
  ].map(name => `e2e/eval-${name}`),
  ...['shards', 'targets', 'http-terminal'].map(name => `e2e/eval-${name}`),
  ...['commands', 'disk', 'eval', 'hostile', 'looks', 'processes', 'python', 'replay', 'resume', 'suites'].map(
    name => `e2e/log-${name}`,
  ),
  ...['config', 'docs', 'explain', 'hostile', 'models-before', 'models-keys', 'report', 'targets', 'validate'].map(
    name => `e2e/${name}`,
  ),
  ...['transpile', 'transpile-hostile', 'evals-json', 'triggers'].map(name => `e2e/${name}`),
  ...[
    'compare',
    'compare-closed',
    'compare-gates',
    'grade',
    'grade-workspaces',
    'report-page',
    'report-page-hostile',
  ].map(name => `e2e/${name}`),
  ...[
    'deep-answers',
    'deep-records',
    'foreign-runs',
    'hostile-files',
    'secret-names',
    'secrets-forms',
    'opens-without-running',
    'hostile-names',
    'hostile-terminal',
    'secrets-everywhere',
  ].map(name => `e2e/${name}`),
  ...['answers-guide'].map(name => `e2e/${name}`),
  ...['models-options'].map(name => `e2e/${name}`),
  ...['log/round-trip', 'log/long-texts', 'conformance/evals-round-trip', 'conformance/generated'],
  ...['faults/*', 'fuzz/*'],
].map(name => `tests/${name}.test.ts`)

/** Tests that mostly wait begin first, and the others fill the time. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/e2e/queue')
    return [...sorted.filter(waits), ...sorted.filter(file => !waits(file))]
  }
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: process.env['CI'] ? ['dot', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    // Most tests wait for programs that they start.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: WaitingFirst },
    // What runs in the process of a test; the page of the HTML report runs in a browser.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/report/html/page/**'],
      reporter: ['text-summary', 'html'],
    },
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
          exclude: ['tests/e2e/**', 'tests/clients/**', ...COMMANDS],
          isolate: false,
        },
      },
    ],
  },
})
