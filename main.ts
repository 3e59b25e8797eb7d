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
// Only now: an older Node could not even load the rest.
await import('./app/run.js')
