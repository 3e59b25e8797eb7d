import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toString as qrCode } from 'qrcode'
import { eventStreams } from '../gateway/live/event-streams.js'
import { pageActions } from './act.js'
import { loadAssets } from './assets.js'
import type { CheckoutDeps, OpenPage } from './deps.js'
import { noticeDocument, paymentDocument } from './document.js'
import { viewStream } from './view-stream.js'
import { ANSWER_HEADERS, pageHeaders } from './headers.js'
import { isLanguage, languageOf } from './language.js'
import { isRefusal, pageOpener, type PageRequest, type Refusal } from './open-page.js'
import { PAGE_ACTIONS } from './page-actions.js'
import type { Language } from './page/view.js'

/** How many streams one link, and all of them, may have open in a process. */
const STREAMS = { perKey: 8, total: 5_000 }

/**
 * Mounts the payment page at `/pay/:token`, and what it asks for below it. It needs no key: the token is good for one
 * payment.
 * @returns ends the open streams
 * @throws when a document is not valid against the API schema, or the page is not built
 */
export function mountCheckout(app: FastifyInstance, deps: CheckoutDeps): { close: () => void } {
  const assets = loadAssets()
  const pages = pageOpener(deps)
  const streams = eventStreams(STREAMS, deps.log)
  assets.mount(app)

  app.get('/pay/:token', async (request: PageRequest, reply) => {
    const language = languageFor(request)
    const page = await pages.open(request, reply)
    if (isRefusal(page)) {
      reply.headers(pageHeaders(language, null))
      return reply.code(page.code).send(noticeDocument(page.notice, language, assets))
    }
    reply.headers(pageHeaders(language, page.view.cardTokenUrl))
    const boot = { view: page.view, language, base: `/pay/${request.params.token}` }
    return reply.send(paymentDocument(boot, assets, [...deps.extraScripts(), assets.script]))
  })

  /** What is below the link: JSON, or what the page found good answers itself. */
  const below = (
    method: 'GET' | 'POST',
    name: string,
    answer: (page: OpenPage, request: PageRequest, reply: FastifyReply) => unknown,
  ): void => {
    app.route({
      method,
      url: `/pay/:token/${name}`,
      handler: async (request: FastifyRequest, reply) => {
        reply.headers(ANSWER_HEADERS)
        const page = await pages.open(request as PageRequest, reply)
        if (isRefusal(page)) return reply.code(page.code).send(errorBody(page))
        return answer(page, request as PageRequest, reply)
      },
    })
  }
  below('GET', 'state', ({ view }) => ({ view }))
  below('GET', 'qr.svg', async ({ view }, { query }, reply) => {
    const { code } = query as { code?: unknown }
    const shown = code === 'address' ? view.address?.address : code === 'link' ? view.address?.link : view.pix?.code
    if (!shown) return reply.code(404).send({ error: { code: 'not_found' } })
    const options = { type: 'svg', margin: 0, errorCorrectionLevel: 'M' } as const
    return reply.type('image/svg+xml').send(await qrCode(shown, options))
  })
  below('GET', 'events', ({ link }, request, reply) => {
    const read = async () => (await pages.read(link, request.id))?.view
    const feed = (signal: AbortSignal) => viewStream(deps.changes, link, read, signal)
    const isOpen = streams.open(request, reply, { key: link.paymentId, feed })
    return isOpen ? reply : reply.code(429).send({ error: { code: 'rate_limited' } })
  })
  const act = pageActions(deps, pages.read)
  for (const name of Object.keys(PAGE_ACTIONS)) {
    below('POST', name, async (page, request, reply) => {
      const { status, body, retryAfter } = await act(name, page, request)
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
      return reply.code(status).send(body)
    })
  }
  return { close: streams.close }
}

function errorBody({ code }: Refusal): object {
  return { error: { code: code === 429 ? 'rate_limited' : code === 404 ? 'not_found' : 'provider_unavailable' } }
}

/** The language that the payer has chosen, otherwise the browser's. */
function languageFor({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { lang?: unknown }
  return isLanguage(lang) ? lang : languageOf(headers['accept-language'])
}
