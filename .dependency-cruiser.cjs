// The architecture as a table: a folder of src/ and what it may import besides itself. Every noun, and every contract,
// is in model/.
const MAY_IMPORT = {
  lib: [],
  // Issues have the codes of diagnostics.
  model: ['diagnostics', 'lib'],
  diagnostics: ['lib'],
  host: ['model', 'lib'],
  mocks: ['model', 'lib'],
  evaluators: ['model', 'lib'],
  providers: ['model', 'lib'],
  spec: ['evaluators', 'providers', 'model', 'lib'],
  parse: ['spec', 'evaluators', 'mocks', 'diagnostics', 'model', 'lib'],
  // Checks carry their evaluators, and targets their providers: neither stage imports one.
  plan: ['model', 'lib'],
  run: ['plan', 'mocks', 'model', 'lib'],
  record: ['model', 'lib'],
  report: ['model', 'lib'],
  // Runs in a browser.
  view: ['report', 'model', 'lib'],
  transpile: ['spec', 'diagnostics', 'model', 'lib'],
  log: ['spec', 'diagnostics', 'model', 'lib'],
  // Files of other tools are read as suites are, with the place of each value.
  import: ['parse', 'spec', 'model', 'lib'],
  queue: ['plan', 'run', 'record', 'model', 'lib'],
  operations: [
    ...['parse', 'plan', 'run', 'record', 'report', 'transpile', 'import', 'log', 'queue', 'spec', 'evaluators'],
    ...['providers', 'diagnostics', 'model', 'lib'],
  ],
  // Commands format logs as they format reports.
  cli: ['operations', 'report', 'log', 'diagnostics', 'model', 'lib'],
}

// Node's own modules that touch nothing outside the process, but for packages, as `import` does.
const PURE_NODE_MODULES = '^(node:)?(path|crypto|util|url|zlib|module)(/|$)'

// Built into dist/, so that users do not install them.
const BUILT_IN =
  '(^|/)node_modules/(@ai-sdk/[^/]+|ajv|ajv-formats|commander|js-yaml|picocolors|tinyglobby|undici|@modelcontextprotocol/sdk)/'

// Built into the page.
const PAGE_PARTS = '(^|/)node_modules/(preact|marked)/'

// Optional peers: installed for development, and by users of a queue.
const QUEUE_PARTS = '(^|/)node_modules/(bullmq|ioredis)/'

// Where the process of a program is: that of the command makes the host, and hands it to `main`.
const EDGE = '^src/(cli/(bin|start)|mock-server)\\.ts$'

const layers = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder} may import ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: EDGE },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}))

const siblings = ['evaluators', 'providers'].map(family => ({
  name: `no-sibling-${family}`,
  comment: `One of the ${family} never imports another; what two share is in ${family}/shared.`,
  severity: 'error',
  from: { path: `^src/${family}/([^/]+)\\.ts$`, pathNot: `^src/${family}/index\\.ts$` },
  to: {
    path: `^src/${family}/[^/]+\\.ts$`,
    pathNot: [`^src/${family}/(define-evaluator|define-provider|lookup)\\.ts$`, `^src/${family}/$1\\.ts$`],
  },
}))

const lists = {
  name: 'lists-only-at-the-edge',
  comment: 'The lists of evaluators and providers are for operations and src/index.ts.',
  severity: 'error',
  from: { path: '^src/', pathNot: '^src/(operations/|index\\.ts$)' },
  to: { path: '^src/(evaluators|providers)/index\\.ts$' },
}

// The pages of the HTML report and of `assay label` run in a browser: each is bundled on its own, and comes into the
// program as a text.
const page = {
  name: 'page-stands-alone',
  comment: 'The program has the code of a page as a text, by `assay:view-page`.',
  severity: 'error',
  from: { path: '^src/', pathNot: '^src/view/' },
  to: { path: '^src/view/' },
}

const pageNeedsNothing = {
  name: 'page-needs-nothing',
  comment: 'The page is bundled whole, with few libraries: it is part of every HTML report.',
  severity: 'error',
  from: { path: '^src/view/' },
  to: { pathNot: ['^src/', PAGE_PARTS] },
}

const ENTRIES = '^src/(cli/bin|index|judge|mock-server|view/main|providers/shared/models/sdk-headers)\\.tsx?$'

module.exports = {
  forbidden: [
    ...layers,
    ...siblings,
    lists,
    page,
    pageNeedsNothing,
    {
      name: 'no-cycles',
      comment:
        'Exceptions, of types alone: a check carries its evaluator, and an evaluator is given checks and makes probes.',
      severity: 'error',
      from: { pathNot: '^src/model/(check|evaluator|probe)\\.ts$' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Every file is reachable from the program or the public API.',
      severity: 'error',
      from: { path: ENTRIES },
      to: { path: '^src/.*\\.[cm]?[jt]s$', pathNot: [ENTRIES, '\\.d\\.ts$'], reachable: false },
    },
    {
      name: 'only-host-touches-the-world',
      comment: "Node's own modules are for host/ and the edge of cli/, but for the pure ones.",
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/host/', EDGE] },
      to: { dependencyTypes: ['core'], pathNot: PURE_NODE_MODULES },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^assay:view-page$' },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'What users do not install is built in, and named here.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: ['@types/', QUEUE_PARTS, BUILT_IN, PAGE_PARTS] },
    },
    {
      name: 'queue-parts-only-in-queue',
      comment:
        'BullMQ and its client are there where somebody has installed them: src/queue loads them when they are used.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/queue/' },
      to: { path: QUEUE_PARTS },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
