import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { html, type Html } from '../../kernel/html.js'
import type { Guide } from '../guides.js'
import { SITE_HEADERS, sitePage } from '../layout.js'
import { pageBudget } from '../page-budget.js'
import { SEARCHES, searchIn } from '../search.js'
import { memoize } from '../../kernel/memoize.js'
import { CURRENT, releases } from '../../schema/releases.js'
import { changesPage, unknownVersion } from './changes-page.js'
import { readOwnership } from './ownership.js'
import { planOperation, type ShownGraph } from './plan.js'
import { planPage } from './plan-page.js'
import { overviewPage, schemaPlaces, typePage } from './type-pages.js'

const PLANS = { ofAddress: 20, ofAll: 120 }
/** No version changes while the process runs. */
const COMPARISONS_KEPT = 20

/** What the pages show, and by what their budgets fill up. */
export interface SchemaPages {
  graph: ShownGraph
  clock: Clock
}

/**
 * Mounts `/schema`: the composed graph for those who review it. Types by subgraph, who answers for each field, keys, the plan
 * of a pasted operation, and the difference between two versions. It needs no key and runs no script.
 */
export function mountSchema(app: FastifyInstance, guides: readonly Guide[], { graph, clock }: SchemaPages): void {
  const types = once(() => readOwnership(graph.sdl))
  const search = once(() => searchIn(schemaPlaces(types())))
  const [mayPlan, maySearch] = [pageBudget(PLANS, clock), pageBudget(SEARCHES, clock)]
  const send = (reply: FastifyReply, title: string, body: Html): FastifyReply =>
    reply.headers(SITE_HEADERS).send(sitePage({ title, current: '/schema' }, guides, body))

  app.get('/schema', (request, reply) => {
    const query = textIn(request, 'q')
    const waitSeconds = query === '' ? 0 : maySearch(request)
    if (waitSeconds === 0) return send(reply, 'GraphQL schema', overviewPage(types(), query, search()(query)))
    const problem = html`<h1>GraphQL schema</h1>
      <p>Too much was searched. Try again in ${waitSeconds} s.</p>`
    return send(reply.code(429).header('retry-after', waitSeconds), 'Too many', problem)
  })
  app.get<{ Params: { name: string } }>('/schema/types/:name', (request, reply) => {
    const type = types().find(({ name }) => name === request.params.name)
    if (type) return send(reply, type.name, typePage(type, types()))
    return send(reply.code(404), 'No such type', html`<h1>The schema has no type of that name</h1>`)
  })
  app.get('/schema/plan', (request, reply) => {
    // A form sends the end of a line as two characters, and counts it as one.
    const source = textIn(request, 'document').replaceAll('\r\n', '\n')
    if (source === '') return send(reply, 'Plan an operation', planPage('', undefined))
    const waitSeconds = mayPlan(request)
    if (waitSeconds > 0) {
      const problems = [`Too many operations were planned. Try again in ${waitSeconds} s.`]
      return send(reply.code(429).header('retry-after', waitSeconds), 'Too many', planPage(source, { problems }))
    }
    const planned = planOperation(graph, source)
    return send(reply.code('problems' in planned ? 400 : 200), 'Plan', planPage(source, planned))
  })
  const versions = once(() => [...releases(), CURRENT])
  const compared = memoize(COMPARISONS_KEPT, (pair) => {
    const [from = CURRENT, to = CURRENT] = pair.split(' ')
    return changesPage(versions(), from, to)
  })
  app.get('/schema/changes', (request, reply) => {
    const [last = CURRENT] = versions().slice(-2)
    const [from, to] = [textIn(request, 'from') || last, textIn(request, 'to') || CURRENT]
    const unknown = Object.entries({ from, to }).find(([, version]) => !versions().includes(version))
    if (!unknown) return send(reply, 'What changed', compared(`${from} ${to}`))
    return send(reply.code(404), 'No such version', unknownVersion(unknown[0], versions()))
  })
}

function textIn({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** Makes something when it is asked for first: few processes are ever asked. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
