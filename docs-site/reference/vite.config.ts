import { join } from 'node:path'
import renderer from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { defineConfig, type Plugin } from 'vite'
import { precompressed } from '../../checkout/precompressed.js'

const root = import.meta.dirname
const outDir = join(root, '..', '..', 'dist', 'reference-page')
/**
 * The renderer's bundle as it is: it is a text within its package, whose plugin hands it out by HTTP, and so it is asked for
 * here. It is not bundled again: it names packages that only its own bundler knew to leave out.
 */
const rendererBundle: Plugin = {
  name: 'renderer-bundle',
  async buildStart() {
    const app = fastify()
    await app.register(renderer, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
    const { statusCode, body } = await app.inject('/reference/js/scalar.js')
    await app.close()
    if (statusCode !== 200) throw new Error(`the renderer has no bundle: ${statusCode}`)
    // Its last line names a source map that is not here.
    const source = body.replace(/\n\/\/# sourceMappingURL=.*$/, '')
    this.emitFile({ type: 'asset', name: 'renderer.js', originalFileName: 'renderer.js', source })
  },
}

/** The REST reference for browsers: the renderer, and the script that starts it. */
export default defineConfig({
  root,
  base: '/docs/reference/',
  logLevel: 'warn',
  publicDir: false,
  // The best quality takes 14 seconds for these 4 MB, and saves a tenth.
  plugins: [rendererBundle, precompressed(outDir, { brotliQuality: 9 })],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: false,
    // No module: the page is in an origin of its own, to which modules are foreign.
    rolldownOptions: { input: { page: join(root, 'page.ts') }, output: { format: 'iife' } },
  },
})
