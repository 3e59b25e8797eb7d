import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { HEAD, NO_DRAG, REMEMBER_KEY } from './graphiql-additions.js'
import { SAVED_OPERATIONS } from './saved-operations.js'

/** Where the page's program is. */
const SCRIPT_PATH = '/graphql/graphiql.js'

/**
 * The page may load and call nothing but this server. Styles are the editor's own, written into the page as it runs; its
 * workers are made from texts of the program, its fonts and pictures are in it.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'font-src data:',
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Asset {
  type: string
  plain: Buffer
  zipped: Buffer
  etag: string
}

/** Whether a browser asks for the page, and not a client for an answer. */
export function asksForPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}

/**
 * GraphiQL, shipped with the product: nothing of it comes from another host. It is read at the first request for it, as
 * it is several megabytes.
 * @returns answers with the page, which itself needs no key; what it sends does
 */
export function mountGraphiql(
  app: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  let assets: ReturnType<typeof loadAssets> | undefined
  const send = async (request: FastifyRequest, reply: FastifyReply, name: 'page' | 'script'): Promise<unknown> => {
    const asset = (await (assets ??= loadAssets()))[name]
    reply.headers({
      'cache-control': 'no-cache',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      etag: asset.etag,
      vary: 'accept, accept-encoding',
    })
    if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
    reply.type(asset.type)
    if (new Negotiator(request).encoding(['gzip']) === undefined) return reply.send(asset.plain)
    return reply.header('content-encoding', 'gzip').send(asset.zipped)
  }
  app.get(SCRIPT_PATH, (request, reply) => send(request, reply, 'script'))
  return (request, reply) => send(request, reply, 'page')
}

const HEADERS = JSON.stringify({ 'x-api-key': '' })

async function loadAssets(): Promise<{ page: Asset; script: Asset }> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = renderGraphiQL({
    title: 'GraphQL',
    endpoint: '/graphql',
    headers: HEADERS,
    defaultTabs: SAVED_OPERATIONS.map(({ query, variables = {} }) => ({
      query,
      variables: JSON.stringify(variables, null, 2),
      headers: HEADERS,
    })),
    shouldPersistHeaders: false,
  })
  // The program goes into a file of its own, so that the policy can forbid every script within the page.
  const start = html.indexOf('<script>')
  const end = html.lastIndexOf('</script>')
  if (start < 0 || end < start) throw new Error('the GraphiQL page has no script')
  const page =
    `${html.slice(0, start)}<script src="${SCRIPT_PATH}"></script>${html.slice(end + '</script>'.length)}`.replace(
      '</head>',
      () => `${HEAD}</head>`,
    )
  return {
    page: await assetOf('text/html; charset=utf-8', page.trim()),
    script: await assetOf(
      'text/javascript; charset=utf-8',
      REMEMBER_KEY + NO_DRAG + html.slice(start + '<script>'.length, end),
    ),
  }
}

async function assetOf(type: string, text: string): Promise<Asset> {
  const plain = Buffer.from(text)
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`
  return { type, plain, zipped: await promisify(gzip)(plain), etag }
}
