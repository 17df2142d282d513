import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reportPageForVite } from './scripts/report-page.mjs'

/** Tests that start the built program: processes, signals, descriptors, pipes and the package. */
const PROGRAMS = 'tests/e2e/**/*.process.test.ts'
/** Tests that repeat a kill, a fault or an attack many times, simulate many runs, or drive the GitHub Action, shells and terminals: `npm run test:sweeps`. */
const SWEEPS = 'tests/**/*.sweep.test.ts'
/** Tests of whole commands, and of what they write: the same on every Node. */
const COMMANDS = 'tests/{e2e,faults,fuzz}/**/*.test.ts'

const shared = {
  // Files share what they import, which takes longer than most of their tests.
  isolate: false,
  setupFiles: ['tests/support/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

const plugins = [reportPageForVite()]

/** Short files with long tests. Without times of an earlier run, vitest starts the largest files first, and these last. */
const LONG = /\/tests\/(e2e\/docs\/(guide|examples)|e2e\/eval\/signals|e2e\/eval\/judges\/signals|log\/round-trip)\./

/** Runs files that mostly wait beside files that work, so that the cores are busy from the beginning to the end. */
class WaitsBesideWork extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/e2e/queue/')
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    const waiting = sorted.filter(waits)
    const others = sorted.filter(file => !waits(file))
    const working = [...others.filter(isLong), ...others.filter(file => !isLong(file))]
    return [
      ...waiting.flatMap((file, index) => [file, ...working.slice(index, index + 1)]),
      ...working.slice(waiting.length),
    ]
  }
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: process.env['CI'] ? ['dot', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    // Most tests wait for programs that they start.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: WaitsBesideWork },
    // What runs in the process of a test; the page of the HTML report runs in a browser.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/view/**'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      { plugins, test: { ...shared, name: 'programs', include: [PROGRAMS] } },
      { plugins, test: { ...shared, name: 'sweeps', include: [SWEEPS] } },
      { plugins, test: { ...shared, name: 'commands', include: [COMMANDS], exclude: [PROGRAMS, SWEEPS] } },
      {
        plugins,
        test: {
          ...shared,
          name: 'parts',
          include: ['tests/**/*.test.ts'],
          // `npm run test:clients` has the real agents.
          exclude: [COMMANDS, SWEEPS, 'tests/clients/**'],
        },
      },
    ],
  },
})
