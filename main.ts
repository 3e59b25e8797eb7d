import module from 'node:module'
import { join } from 'node:path'

/** The product is built for this Node; npm scripts bring it, a bare `node` may be another. */
const NODE_MAJOR = 24

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
  console.error(`Node ${NODE_MAJOR} is needed, this is ${process.version}. Use npm start: it brings its own.`)
  process.exit(1)
}
// Half of a start is compiling what is imported; where the folder cannot be written, it is compiled each time.
module.enableCompileCache(join(import.meta.dirname, '.compile-cache'))
// Node does not warn of what packages in node_modules do; bundled, they are not there any more.
process.noDeprecation = true
// Only now: an older Node could not even load the rest. It is `app/run.ts`, bundled (app/vite.config.ts).
await import(new URL('./product/run.js', import.meta.url).href)
