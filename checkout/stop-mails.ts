import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { payloadFailure, type PayloadError } from '../gateway/payload-failure.js'
import { tellOutcome } from '../gateway/request-log.js'
import { networkOf } from '../gateway/rate-limit/network-of.js'
import { tokenBuckets } from '../gateway/rate-limit/token-bucket.js'
import { html, styledPage } from '../kernel/html.js'
import type { CheckoutDeps } from './deps.js'
import { ANSWER_HEADERS } from './headers.js'
import type { Language } from './page/view.js'
import { loadDocument } from './read-payment.js'
import { STOP_MAILS_PATH, stopMailsOf, type StopMailsLink } from './stop-mails-link.js'

type StopRequest = FastifyRequest<{ Params: { token: string } }>

/** What the page says: before, after, where the link is not ours, and where it cannot be done right now. */
type Notice = 'ask' | 'done' | 'notFound' | 'unavailable'

const TEXTS: Readonly<Record<Language, Readonly<Record<Notice, { title: string; text: string }>> & { act: string }>> = {
  en: {
    ask: { title: 'E-mails about your subscription', text: 'The subscription itself goes on.' },
    done: { title: 'No more e-mails', text: 'You get no more e-mails about payments of this subscription.' },
    notFound: { title: 'This link is not valid', text: 'Take the link from the e-mail as it is.' },
    unavailable: { title: 'This does not work right now', text: 'Try it again in a minute.' },
    act: 'Get no more e-mails',
  },
  pt: {
    ask: { title: 'E-mails da sua assinatura', text: 'A assinatura em si continua.' },
    done: { title: 'Nenhum e-mail mais', text: 'Você não recebe mais e-mails sobre pagamentos desta assinatura.' },
    notFound: { title: 'Este link não é válido', text: 'Use o link como está no e-mail.' },
    unavailable: { title: 'Isto não funciona agora', text: 'Tente de novo em um minuto.' },
    act: 'Não receber mais e-mails',
  },
  es: {
    ask: { title: 'Correos de su suscripción', text: 'La suscripción en sí continúa.' },
    done: { title: 'Ningún correo más', text: 'Ya no recibe correos sobre pagos de esta suscripción.' },
    notFound: { title: 'Este enlace no es válido', text: 'Use el enlace tal como está en el correo.' },
    unavailable: { title: 'Esto no funciona ahora', text: 'Inténtelo de nuevo en un minuto.' },
    act: 'No recibir más correos',
  },
}

const STATUS: Readonly<Record<Notice, number>> = { ask: 200, done: 200, notFound: 404, unavailable: 503 }
/** The word of the log. */
const CODES: Readonly<Partial<Record<Notice, string>>> = { notFound: 'not_found', unavailable: 'provider_unavailable' }

const CSS = `body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1.2rem}`

/** How often an address may ask in a minute; mail programs ask for many readers. */
const PER_ADDRESS = 120
const MAX_KEPT = 10_000

/**
 * Mounts the page that a payer of a subscription stops its e-mails on. Looking at it changes nothing, as programs look at the
 * links of e-mails by themselves; sending its form does, and so does the POST of a mail program (RFC 8058). Repeatable.
 */
export function mountStopMails(
  app: FastifyInstance,
  deps: CheckoutDeps,
  languageFor: (request: FastifyRequest) => Language,
): void {
  const { style, headers } = styledPage(CSS, { ownForms: true })
  const addresses = tokenBuckets({ perMinute: PER_ADDRESS, maxKept: MAX_KEPT, clock: deps.clock })
  const stop = stopper(deps)

  const answer = (
    request: StopRequest,
    reply: FastifyReply,
    notice: Notice,
    code: string | undefined = CODES[notice],
  ): FastifyReply => {
    if (code !== undefined) tellOutcome(reply, code)
    const language = languageFor(request)
    const { act, ...notices } = TEXTS[language]
    const { title, text } = notices[notice]
    const form = html`<form method="post"><button data-test="stop">${act}</button></form>`
    const page = html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          ${style}
        </head>
        <body>
          <main data-test="stop-mails" data-status="${notice}">
            <h1>${title}</h1>
            <p>${text}</p>
            ${notice === 'ask' ? form : undefined}
          </main>
        </body>
      </html>`
    return reply
      .code(STATUS[notice])
      .headers({ ...ANSWER_HEADERS, ...headers })
      .send(page.text)
  }

  const handle = async (request: StopRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const waitSeconds = addresses.take(networkOf(request.ip))
    if (waitSeconds > 0) {
      reply.header('retry-after', String(waitSeconds))
      return answer(request, reply, 'unavailable', 'rate_limited')
    }
    const link = stopMailsOf(request.params.token, deps.linkKey)
    if (!link) return answer(request, reply, 'notFound')
    return answer(request, reply, request.method === 'POST' ? await stop(link, request.id) : 'ask')
  }

  void app.register((scope, _options, done) => {
    // What a form or a mail program says besides the address is of no matter.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: 1024 }, (_request, _body, parsed) => {
        parsed(null, undefined)
      })
    }
    scope.route({ method: ['GET', 'POST'], url: `${STOP_MAILS_PATH}/:token`, handler: handle })
    done()
  })
}

/** Ends the e-mails of a link's subscription, as its tenant. */
function stopper({ supergraph, products, log }: CheckoutDeps) {
  const document = loadDocument(supergraph, 'stop-subscription-emails')
  return async ({ tenantId, id }: StopMailsLink, requestId: string): Promise<Notice> => {
    const caller = { tenantId, keyId: 'payment-page', products }
    try {
      const { data, errors } = await supergraph.execute(document, { id }, { requestId, caller })
      const payload = data?.['payload'] as { errors: readonly PayloadError[] } | null | undefined
      if (payload?.errors.length === 0) return 'done'
      const code = payloadFailure(payload?.errors ?? [])?.code ?? errors?.[0]?.extensions['code']
      if (code === 'SUBSCRIPTION_NOT_FOUND') return 'notFound'
      log.error({ requestId, code }, 'the e-mails of a subscription could not be stopped')
    } catch (error) {
      log.error({ requestId, err: error }, 'the e-mails of a subscription could not be stopped')
    }
    return 'unavailable'
  }
}
