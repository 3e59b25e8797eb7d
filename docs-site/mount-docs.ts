import type { FastifyInstance, FastifyReply } from 'fastify'
import { encodedText, smallestOf } from '../gateway/built-files/encoded-file.js'
import type { Builds } from '../gateway/built-files/shared-builds.js'
import { html, type Html } from '../kernel/html.js'
import type { PublishedDocument } from '../rest-compat/openapi-events.js'
import { errorPlaces, errorsPage } from './errors-page.js'
import { GUIDE_NAMES, readGuide, type Guide } from './guides.js'
import { landingPage } from './landing-page.js'
import { pagesOf, SITE_HEADERS, sitePage } from './layout.js'
import { mountReference } from './reference/mount-reference.js'
import { mountSchema, type SchemaPages } from './schema/mount-schema.js'
import { pageBudget } from './page-budget.js'
import { SEARCHES, searchIn, type FoundPlace, type Place } from './search.js'

/**
 * Mounts what needs no key and is read by people: the landing page at `/`, the documentation at `/docs`, and OpenAPI at
 * `/openapi.json` for programs. Nothing of it is fetched from elsewhere.
 * @param options.isSandbox whether the sandbox's own pages are linked
 * @param options.builds where files of other builds are
 */
export function mountDocs(
  app: FastifyInstance,
  document: PublishedDocument,
  { isSandbox, builds, ...schema }: SchemaPages & { isSandbox: boolean; builds: Builds },
): void {
  const guides = GUIDE_NAMES.map(readGuide)
  const search = searchIn([...guides.flatMap(placesOf), ...errorPlaces(), ...operationPlaces(document)])
  const maySearch = pageBudget(SEARCHES, schema.clock)
  const send = (reply: FastifyReply, page: { title: string; current: string; query?: string }, body: Html) =>
    reply.headers(SITE_HEADERS).send(sitePage(page, guides, body))
  const file = encodedText(JSON.stringify(document))
  app.get('/', (_request, reply) => reply.headers(SITE_HEADERS).send(landingPage(guides, isSandbox)))
  app.get('/openapi.json', async (request, reply) => {
    const { content, encoding } = await smallestOf(await file, request.headers['accept-encoding'] ?? '')
    return reply.headers({ ...DOCUMENT_HEADERS, ...(encoding && { 'content-encoding': encoding }) }).send(content)
  })
  app.get('/docs', (_request, reply) => send(reply, { title: 'Documentation', current: '' }, overview(guides)))
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
  mountReference(app, guides, builds)
  mountSchema(app, guides, schema)
  app.get('/docs/errors', (_request, reply) => send(reply, { title: 'Errors', current: '/docs/errors' }, errorsPage()))
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', (request, reply) => {
    const query = typeof request.query.q === 'string' ? request.query.q : ''
    const page = { title: 'Search', current: '/docs/search', query }
    const waitSeconds = query === '' ? 0 : maySearch(request)
    if (waitSeconds > 0) return send(reply.code(429).header('retry-after', waitSeconds), page, tooMany(waitSeconds))
    return send(reply, page, found(search(query), query))
  })
  for (const { name, title, body } of guides) {
    app.get(`/docs/${name}`, (_request, reply) => send(reply, { title, current: `/docs/${name}` }, body))
  }
}

/** The document is everybody's: pages of any origin may read it, such as the reference, which is in one of its own. */
const DOCUMENT_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'access-control-allow-origin': '*',
  vary: 'accept-encoding',
}

function overview(guides: readonly Guide[]): Html {
  return html`<h1>Documentation</h1>
    <p>
      REST paths with one envelope, and the same as <a href="/graphql">GraphQL</a>. Every example on these pages runs
      against the sandbox, after <a href="/docs/first-payment#what-every-example-uses">a few lines</a> that all of them
      use. For programs: <a href="/openapi.json">openapi.json</a>.
    </p>
    <ul class="cards">
      ${pagesOf(guides).map(([path, title]) => html`<li><a href="${path}">${title}</a></li>`)}
    </ul>`
}

function tooMany(waitSeconds: number): Html {
  return html`<h1>Search</h1>
    <p>Too much was searched. Try again in ${waitSeconds} s.</p>`
}

function found(places: readonly FoundPlace[], query: string): Html {
  return html`<h1>Search</h1>
    <p>${howMany(places.length, query)}</p>
    ${places.map(
      ({ title, link, excerpt }) =>
        html`<h3><a href="${link}">${title}</a></h3>
          <p>${excerpt}</p>`,
    )}`
}

function howMany(count: number, query: string): string {
  if (query.trim() === '') return 'Which words?'
  if (count === 0) return `Nothing has “${query}”.`
  return count === 1 ? `One place has “${query}”.` : `${count} places have “${query}”.`
}

function placesOf({ name, title, sections }: Guide): Place[] {
  return sections.map(({ heading, anchor, text }) => ({
    title: heading === title ? title : `${title}: ${heading}`,
    link: `/docs/${name}${anchor && `#${anchor}`}`,
    text,
  }))
}

/** The reference names the place of an operation by its tag and its name. Paths are written as the guides write them. */
function operationPlaces({ paths }: PublishedDocument): Place[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { tags, operationId, summary }]) => ({
      title: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      link: `/docs/reference#tag/${tags[0] ?? ''}/${operationId}`,
      text: summary,
    })),
  )
}
