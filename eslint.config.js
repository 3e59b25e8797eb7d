import eslint from '@eslint/js'
import graphql from '@graphql-eslint/eslint-plugin'
import node from 'eslint-plugin-n'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** A module is imported by the name of the file that owns it: no default exports, no modules that only pass others on. */
const oneNameOnePath = [
  {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    message: 'Export by name, so that one search finds every use.',
  },
  { selector: 'ExportAllDeclaration', message: 'Import from the file that owns the name; no barrel files.' },
  {
    selector: 'ExportNamedDeclaration[source][exportKind!="type"]',
    message: 'Import from the file that owns the name; no barrel files.',
  },
  {
    selector: 'ExportNamedDeclaration[exportKind="type"][source.value=/^\\./]',
    message: 'Only a type of a package may be passed on, by the one file that wraps the package.',
  },
]

/** Its error, which nobody hears, would end the process of all the tests that run in it. */
const onePool = [
  {
    selector: 'NewExpression[callee.name="Pool"]',
    message: 'Take ownPool of the harness, which hears of cut connections.',
  },
]

/** Each rule of graphql-eslint for a schema, and for Relay, that does not hold here as it is, and why. */
const graphqlExceptions = {
  // Types stand in the order of their names already; fields in the order in which a reader needs them.
  alphabetize: 'off',
  // What is a thing of its own implements `Node`, and has an id; most types are parts of one: a quote, a fee, an address.
  'strict-id-in-types': 'off',
  // A list that is short by its nature (the receivers of a payment) is no connection. And what is read in lists alone, as the
  // entries of the audit log, is nothing that `node(id)` finds.
  'relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
  // Lists are read forwards alone: no page of ours goes back otherwise than by what it remembers.
  'relay-arguments': ['error', { includeBoth: false }],
  // A payload that leads to all of `Query` lets a mutation's answer cost what no query may (ADR 34's limits are per document).
  'require-field-of-type-query-in-mutation-result': 'off',
  // What is done to one thing takes its id, and nothing around it.
  'input-name': 'off',
  // `Mutation` and `Subscription` are what this API is for.
  'no-root-type': 'off',
  // What is deprecated has no last day: REST lists and toggles by it.
  'require-deprecation-date': 'off',
  // Two names are the contract's: `order_items` of an order, `payment_method_allowed` of a payment.
  'no-typename-prefix': 'off',
}

/** Tools that look for their configuration in a default export. */
const configFiles = ['**/*.config.ts', '*.config.js']

/** Written by a program: their shape is its business. */
const generatedFiles = ['**/*.generated.ts', '**/generated/**']

export default defineConfig(
  globalIgnores(['dist/', 'client/dist/', '.data/']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.base, tseslint.configs.eslintRecommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { n: node },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        // A `default` that throws or answers is a decision; a missing case without one is an oversight.
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // `import { type A } from './b.js'` would still load b.js at runtime under verbatimModuleSyntax.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-unused-vars': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 70 }],
      'n/no-process-env': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:process', 'process'].map((name) => ({
            name,
            importNames: ['env', 'default'],
            message: 'Only env.ts reads the environment.',
          })),
        },
      ],
      'no-restricted-syntax': ['error', ...oneNameOnePath],
    },
  },
  {
    files: ['**/env.ts'],
    rules: { 'n/no-process-env': 'off', 'no-restricted-imports': 'off' },
  },
  {
    // The body of a `describe` is a list of cases, not a function to understand at once.
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'no-restricted-syntax': ['error', ...oneNameOnePath, ...onePool] },
  },
  {
    files: ['schema/api.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: 'schema/api.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-all'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      ...Object.fromEntries(
        Object.entries(graphqlExceptions).map(([rule, setting]) => [`@graphql-eslint/${rule}`, setting]),
      ),
    },
  },
  { files: generatedFiles, rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' } },
  { files: configFiles, rules: { 'no-restricted-syntax': 'off' } },
)
