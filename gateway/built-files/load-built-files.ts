import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { readEncoded, smallestOf } from './encoded-file.js'
import type { Builds } from './shared-builds.js'

/** Scripts and style sheets for browsers, as `npm run build` has made them. */
export interface BuiltFiles {
  /** The path of what the build has made of a source. @throws Error where the build has none of that name */
  pathOf: (entry: string) => string
  /** What the build has made of a source, as text. @throws Error where the build has none of that name */
  textOf: (entry: string) => string
  /** Serves them below the base, with names that are hashes, and beside them what other builds have there. */
  mount: (app: FastifyInstance, builds: Builds) => void
}

type Manifest = Record<string, { file: string } | undefined>

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/**
 * Reads what was built into memory, of large files the smallest form.
 * @param folder where the build is
 * @param base the path that it is served below, with a slash at both ends
 * @throws Error where it was not built
 */
export function loadBuiltFiles(folder: string, base: string): BuiltFiles {
  const manifestFile = join(folder, 'manifest.json')
  if (!existsSync(manifestFile)) throw new Error(`${base} is not built: npm run build`)
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const names = readdirSync(join(folder, 'assets')).filter((name) => /\.(?:js|css)$/.test(name))
  const files = new Map(names.map((name) => [`${base}assets/${name}`, readEncoded(join(folder, 'assets', name))]))
  const fileOf = (entry: string): string => {
    const file = manifest[entry]?.file
    if (file === undefined) throw new Error(`the build of ${base} has no ${entry}`)
    return file
  }
  return {
    pathOf: (entry) => `${base}${fileOf(entry)}`,
    textOf: (entry) => readFileSync(join(folder, fileOf(entry)), 'utf8'),
    mount: (app, builds) => {
      for (const [path, { br }] of files) builds.add(path, br)
      app.get<{ Params: { name: string } }>(`${base}assets/:name`, async (request, reply) => {
        const { name } = request.params
        const path = `${base}assets/${name}`
        const file = files.get(path) ?? (await builds.find(path))
        if (!file) return reply.callNotFound()
        const { content, encoding } = await smallestOf(file, request.headers['accept-encoding'] ?? '')
        return reply
          .headers({
            'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
            // Its name has a hash of what is in it.
            'cache-control': 'public, max-age=31536000, immutable',
            'x-content-type-options': 'nosniff',
            vary: 'accept-encoding',
            ...(encoding && { 'content-encoding': encoding }),
          })
          .send(content)
      })
    },
  }
}
