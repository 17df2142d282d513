import type { KnipConfig } from 'knip'

const isProduction = process.argv.includes('--production')

/**
 * Finds files, exports and dependencies that nothing uses. `!` marks what the package is made from: `knip --production` looks
 * at these files alone, so it also finds exports that only tests use.
 */
export default {
  entry: [
    'src/index.ts!',
    'src/judge.ts!',
    'src/mock-server.ts!',
    'src/cli/bin.ts!',
    // Loaded by bin.ts from dist/.
    'src/cli/start.ts!',
    // Replaces a global of the SDKs in dist/ (scripts/build.mjs).
    'src/providers/shared/models/sdk-headers.ts!',
    // Bundled by scripts/report-page.mjs into the program, as text.
    'src/view/main.tsx!',
    // Writes schema/ and docs/reference, which are part of the package. Without --production, knip knows it from package.json.
    ...(isProduction ? ['scripts/generate.ts!'] : []),
    'scripts/*.mjs',
    // Run by action.yml, where users get them.
    'scripts/action/{comment,summary}.mjs!',
    'bench/*.mjs',
    // Programs that benchmarks and tests start.
    'bench/baselines/*.mjs',
    'bench/print-usage.cjs',
    'bench/scale/open-page.mjs',
    'bench/scale/servers/*.mjs',
    'tests/**/*.mjs',
    // Bundled by tests/fuzz/harness/build-child.ts.
    'tests/fuzz/harness/child.ts',
  ],
  project: ['src/**!', 'scripts/*!', 'scripts/action/**!', 'scripts/**', 'bench/**', 'tests/**', '!tests/corpus/**'],
  // Used by path or from a command in the docs, not by an import.
  ignoreDependencies: ['axe-core', 'ajv-cli'],
  ignoreExportsUsedInFile: isProduction
    ? // A function may be exported for its tests: those of statistics are compared with published values one by one.
      true
    : // A type in the signature of an export may be exported too.
      { interface: true, type: true },
} satisfies KnipConfig
