import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reportPageForVite } from './scripts/report-page.mjs'

/** Short files with long tests. Without times of an earlier run, vitest starts the largest files first, and these last. */
const LONG =
  /\/tests\/(e2e\/(docs\/(guide|examples)|eval\/(judges\/)?signals|skill\/tune|label\/page|log\/hostile)|fuzz\/fuzz)\./

/**
 * Runs files that mostly wait beside files that work, so that the cores are busy from the beginning to the end. Tests of
 * commands come before the others: they start thousands of programs, and a fork copies the page tables of the worker, which
 * takes longer the more garbage the other tests have left in it.
 */
class WaitsBesideWork extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/e2e/queue/')
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    const isOfCommand = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/e2e/')
    const waiting = sorted.filter(waits)
    const others = sorted.filter(file => !waits(file))
    const rest = others.filter(file => !isLong(file))
    const working = [...others.filter(isLong), ...rest.filter(isOfCommand), ...rest.filter(file => !isOfCommand(file))]
    return [
      ...waiting.flatMap((file, index) => [file, ...working.slice(index, index + 1)]),
      ...working.slice(waiting.length),
    ]
  }
}

export default defineConfig({
  plugins: [reportPageForVite()],
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: process.env['CI'] ? ['dot', 'json'] : ['default'],
    outputFile: { json: '.vitest/results.json' },
    // Most tests wait for programs that they start.
    maxWorkers: availableParallelism() + 3,
    // V8 optimizes functions after more calls than by default: most code of a test runs too briefly to pay for it. Newer
    // versions of Node do not have the option. Programs that tests start do not get it.
    execArgv: process.version.startsWith('v20.') ? ['--interrupt-budget=300000'] : [],
    sequence: { sequencer: WaitsBesideWork },
    // What runs in the process of a test; the page of the HTML report runs in a browser.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/view/**'],
      reporter: ['text-summary', 'html'],
    },
    include: ['tests/**/*.test.ts'],
    // `npm run test:clients` has the real agents.
    exclude: ['tests/clients/**'],
    // Files share what they import, which takes longer than most of their tests. One project has all of them: a worker ends
    // where the next file is of another project, and the next worker imports everything again.
    isolate: false,
    setupFiles: ['tests/support/setup.ts'],
    // For tests that hang: the speed of a machine never decides.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
})
