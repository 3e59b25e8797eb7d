import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../kernel/root.js'

/** The scripts and the style sheet of the page, as `npm run build` has made them. */
export interface PageAssets {
  /** Paths of what the document names first. */
  script: string
  style: string
  mount: (app: FastifyInstance) => void
}

type Manifest = Record<string, { file: string } | undefined>
type Compressed = { content: Buffer; encoding: 'br' | 'gzip' }

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}
const BASE = '/checkout/'

/**
 * Reads the built page into memory.
 * @param folder where the build is
 * @throws Error where it was not built
 */
export function loadAssets(folder = join(projectRoot, 'dist', 'page')): PageAssets {
  const manifestFile = join(folder, 'manifest.json')
  if (!existsSync(manifestFile)) throw new Error('the payment page is not built: npm run build')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const pathOf = (entry: string): string => {
    const file = manifest[entry]?.file
    if (file === undefined) throw new Error(`the build of the payment page has no ${entry}`)
    return `${BASE}${file}`
  }
  const names = readdirSync(join(folder, 'assets')).filter((name) => /\.(?:js|css)$/.test(name))
  const files = new Map(names.map((name) => [name, encodings(join(folder, 'assets', name))]))
  return {
    script: pathOf('client.tsx'),
    style: pathOf('style.css'),
    mount: (app) => {
      app.get<{ Params: { name: string } }>(`${BASE}assets/:name`, (request, reply) => {
        const { name } = request.params
        const file = files.get(name)
        if (!file) return reply.callNotFound()
        const accepted = request.headers['accept-encoding'] ?? ''
        const { content, encoding } = file.compressed.find((one) => accepts(accepted, one.encoding)) ?? file.plain
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

function encodings(path: string): { compressed: Compressed[]; plain: { content: Buffer; encoding: undefined } } {
  const compressed: Compressed[] = [
    { content: readFileSync(`${path}.br`), encoding: 'br' },
    { content: readFileSync(`${path}.gz`), encoding: 'gzip' },
  ]
  return { compressed, plain: { content: readFileSync(path), encoding: undefined } }
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => part.trim().split(';')[0] === encoding && !/q=0(?:\.0*)?$/.test(part.trim()))
}
