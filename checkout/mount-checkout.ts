import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recentlyUsed } from '../kernel/recently-used.js'
import { toString as qrCode } from 'qrcode'
import { eventStreams } from '../gateway/live/event-streams.js'
import { tellOutcome } from '../gateway/request-log.js'
import { addressGuard } from '../kernel/address-guard.js'
import type { Picture } from '../kernel/picture-kind.js'
import { pageActions } from './act.js'
import type { ActionAnswer } from './action-answer.js'
import { loadAssets } from './assets.js'
import type { CheckoutDeps, OpenPage } from './deps.js'
import { noticeDocument, paymentDocument } from './document.js'
import { viewStream } from './view-stream.js'
import { ANSWER_HEADERS, pageHeaders } from './headers.js'
import { keepProof } from './identity-cookie.js'
import { IDENTITY_ACTIONS, identityActions, type IdentityAction } from './identity-actions.js'
import { isLanguage, languageOf, MESSAGES } from './language.js'
import { isRefusal, pageOpener, type PageOpener, type PageRequest, type Refusal } from './open-page.js'
import { initialIcon } from './initial-icon.js'
import { itemPictures } from './item-pictures.js'
import { logos } from './logos.js'
import { PAGE_ACTIONS } from './page-actions.js'
import { sharePicture } from './sharing/picture.js'
import { mountStopMails } from './stop-mails.js'
import { solanaPayAnswer, solanaPayLabel } from './solana-pay.js'
import { amountOf } from './page/text.js'
import type { Language, PageView } from './page/view.js'

/** Of what has another address when it changes. */
const KEPT_A_DAY = 'private, max-age=86400'

/** Of a shop without a colour of its own; see `page/style.css`. */
const DEFAULT_ACCENT = '#1f4fd8'
/** A few kilobytes each. */
const PICTURES_KEPT = 500

/** How many streams one link, one tenant's links, and all of them may have open in a process. A page without one looks by itself. */
const STREAMS = { perKey: 8, perTenant: 2_000, total: 5_000 }

/** Mounts something below the link. */
type Below = (
  method: 'GET' | 'POST',
  name: string,
  answer: (page: OpenPage, request: PageRequest, reply: FastifyReply) => unknown,
) => void

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
  assets.mount(app, deps.builds)

  app.get('/pay/:token', async (request: PageRequest, reply) => {
    const language = languageFor(request)
    const page = await pages.open(request, reply)
    if (isRefusal(page)) {
      const style = assets.styleOf(null)
      reply.headers(pageHeaders(language, { style: style.source }))
      tellOutcome(reply, codeOf(page))
      return reply.code(page.code).send(noticeDocument(page.notice, language, style))
    }
    const { view, link, merchant } = page
    const { embedOrigins, accentColor, logoVersion } = merchant.branding
    const style = assets.styleOf(accentColor)
    reply.headers(pageHeaders(language, { style: style.source, cardTokenUrl: view.cardTokenUrl, embedOrigins }))
    const base = `/pay/${request.params.token}`
    const logo = logoVersion === null ? null : `${base}/logo?of=${logoVersion}`
    const boot = { view, language, base, paymentId: link.paymentId, embedOrigins, logo }
    const scripts = [...deps.extraScripts(), assets.script]
    return reply.send(paymentDocument(boot, { scripts, publicUrl: deps.publicUrl, style }))
  })

  /** What is below the link: JSON, or what the page found good answers itself. */
  const below: Below = (method, name, answer) => {
    app.route({
      method,
      url: `/pay/:token/${name}`,
      handler: async (request: FastifyRequest, reply) => {
        reply.headers(ANSWER_HEADERS)
        const page = await pages.open(request as PageRequest, reply)
        if (isRefusal(page)) return refuse(reply, page.code, codeOf(page))
        return answer(page, request as PageRequest, reply)
      },
    })
  }
  below('GET', 'state', ({ view }) => ({ view }))
  below('GET', 'qr.svg', async ({ view }, { query, params }, reply) => {
    const { code } = query as { code?: unknown }
    const shown = qrTextOf(view, code, `${deps.publicUrl}/pay/${params.token}`)
    if (!shown) return refuse(reply, 404, 'not_found')
    const options = { type: 'svg', margin: 0, errorCorrectionLevel: 'M' } as const
    return reply.type('image/svg+xml').send(await qrCode(shown, options))
  })
  below('GET', 'events', ({ link }, request, reply) => {
    const read = async () => (await pages.read(link, request.id))?.view
    const feed = (signal: AbortSignal) => viewStream(deps.changes, link, read, signal)
    const isOpen = streams.open(request, reply, { key: link.paymentId, tenantId: link.tenantId, feed })
    return isOpen ? reply : refuse(reply, 429, 'rate_limited')
  })
  mountPictures(below, deps)
  mountItemPictures(app, below, deps)
  below('GET', 'solana', (page, request) =>
    solanaPayLabel(page, languageFor(request), `${deps.publicUrl}/pay/${request.params.token}/icon.svg`),
  )
  mountActions(below, deps, pages)
  mountStopMails(app, deps, languageFor)
  return { close: streams.close }
}

/** What a payer does on the page, the proof of who he is among it. */
function mountActions(below: Below, deps: CheckoutDeps, pages: PageOpener): void {
  const act = pageActions(deps, pages.read)
  for (const name of Object.keys(PAGE_ACTIONS)) {
    below('POST', name, async (page, request, reply) => {
      const answer = await act(name, page, request)
      const body = name === 'solana' ? solanaPayAnswer(answer, page, languageFor(request)) : answer.body
      return sendAnswer(reply, answer, body)
    })
  }
  const identify = identityActions(deps)
  for (const name of Object.keys(IDENTITY_ACTIONS) as IdentityAction[]) {
    below('POST', name, async (page, request, reply) => {
      const answer = await identify(name, page, request)
      const { proof } = (answer.body.given ?? {}) as { proof?: string }
      if (proof !== undefined) keepProof(reply, request.params.token, proof, deps.publicUrl)
      return sendAnswer(reply, answer)
    })
  }
}

/** @param shown the body, where it has another form than the actions' own */
function sendAnswer(
  reply: FastifyReply,
  { status, body, retryAfter }: ActionAnswer,
  shown: object = body,
): FastifyReply {
  if (body.error) tellOutcome(reply, body.error.code)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.code(status).send(shown)
}

function refuse(reply: FastifyReply, http: number, code: string): FastifyReply {
  tellOutcome(reply, code)
  return reply.code(http).send({ error: { code } })
}

/** The pictures of what is sold, which are elsewhere. */
function mountItemPictures(app: FastifyInstance, below: Below, { isSandbox }: CheckoutDeps): void {
  const guard = addressGuard({ allowLoopback: isSandbox, allowHttp: isSandbox })
  app.addHook('onClose', () => {
    guard.close()
  })
  const pictureAt = itemPictures(guard)
  below('GET', 'item/:index', async ({ link, payment }, { params }, reply) => {
    const { imageUrl } = payment.orderItems?.[Number((params as { index?: string }).index)] ?? {}
    return sendPicture(reply, imageUrl ? await pictureAt(imageUrl, link.tenantId) : undefined)
  })
}

function sendPicture(reply: FastifyReply, picture: Picture | undefined): FastifyReply {
  if (!picture) return refuse(reply, 404, 'not_found')
  return reply.header('cache-control', KEPT_A_DAY).type(picture.type).send(picture.bytes)
}

/** How the tenant's pages look: its picture and its colour, and a picture where it has none. */
function mountPictures(below: Below, { accounts }: CheckoutDeps): void {
  const logoOf = logos(accounts)
  below('GET', 'logo', async (page, request, reply) => sendPicture(reply, await logoOf(page, request.id)))
  const pictures = recentlyUsed<string, Buffer>(PICTURES_KEPT)
  below('GET', 'share.png', ({ view, merchant: { branding } }, request, reply) => {
    const text = amountOf(view, MESSAGES[languageFor(request)])
    const colour = branding.accentColor ?? DEFAULT_ACCENT
    const picture = pictures.get(`${text} ${colour}`) ?? sharePicture(text, colour)
    pictures.set(`${text} ${colour}`, picture)
    return sendPicture(reply, { bytes: picture, type: 'image/png' })
  })
  below('GET', 'icon.svg', ({ view }, _request, reply) =>
    reply.type('image/svg+xml').send(initialIcon(view.merchant ?? '$')),
  )
}

/** What a QR code says: a Pix unless another is asked for. @param link the page's own */
function qrTextOf({ pix, address, solanaChain }: PageView, name: unknown, link: string): string | null | undefined {
  if (name === 'solana') return solanaChain === null ? null : `solana:${link}/solana`
  if (name === 'address') return address?.address
  return name === 'link' ? address?.link : pix?.code
}

function codeOf({ code }: Refusal): string {
  return code === 429 ? 'rate_limited' : code === 404 ? 'not_found' : 'provider_unavailable'
}

/** The language that the payer has chosen, otherwise the browser's. */
function languageFor({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { lang?: unknown }
  return isLanguage(lang) ? lang : languageOf(headers['accept-language'])
}
