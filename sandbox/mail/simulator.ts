import type { AddressInfo } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { html, styledPage } from '../../kernel/html.js'
import { readFault, type Fault } from '../simulator.js'
import { createMailbox, type Mail } from './mailbox.js'
import { startSmtpServer } from './smtp.js'

/** A running mail server with its mailbox. */
export interface MailSimulator {
  smtpUrl: string
  /** `GET ?to=`: JSON, or a page for a browser. */
  mailboxUrl: string
  close(): Promise<void>
}

/**
 * Starts an SMTP server and, over HTTP, the mailbox that it fills. `POST /sandbox/faults {mode, times?, ms?}` makes sending
 * fail: `down` cuts the connection, `slow` holds the e-mail back, `error` answers 451, `drop-answer` takes the e-mail and
 * then cuts the connection; `ok` ends it. Rejects where a port is taken.
 */
export async function startMailSimulator(options: {
  port: number
  smtpPort: number
  clock: Clock
}): Promise<MailSimulator> {
  const mailbox = createMailbox()
  let fault: Fault | undefined
  const takeFault = (): Fault | undefined => {
    const taken = fault
    if (fault && --fault.times <= 0) fault = undefined
    return taken
  }
  const smtp = await startSmtpServer({ port: options.smtpPort, mailbox, takeFault, clock: options.clock })
  const app = fastify({ forceCloseConnections: true })
  app.get('/mailbox', (request: FastifyRequest<{ Querystring: { to?: string } }>, reply) => {
    const { to } = request.query
    const mails = mailbox.list(typeof to === 'string' && to !== '' ? to : undefined)
    return (request.headers.accept ?? '').includes('text/html') ? sendPage(reply, mails) : reply.send(mails)
  })
  const orderFault = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const wanted = readFault(request.body)
    if (!wanted) return reply.code(400).send({ message: 'body: {mode, times?, ms?}' })
    fault = wanted.mode === 'ok' ? undefined : wanted
    return reply.send({ mode: wanted.mode })
  }
  // Below the address that sandbox.json names too, as with every simulator.
  for (const path of ['/sandbox/faults', '/mailbox/sandbox/faults']) app.post(path, orderFault)
  try {
    await app.listen({ host: '127.0.0.1', port: options.port })
  } catch (error) {
    await smtp.close()
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    mailboxUrl: `http://127.0.0.1:${port}/mailbox`,
    close: async () => {
      await app.close()
      await smtp.close()
    },
  }
}

const PAGE = styledPage(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}' +
    'article{border:1px solid #ccc;border-radius:8px;padding:1rem;margin:1rem 0}pre{white-space:pre-wrap}',
)

/** The newest e-mail first, as text: what a stranger wrote as HTML is not shown as such. */
function sendPage(reply: FastifyReply, mails: readonly Mail[]): FastifyReply {
  const articles = mails.toReversed().map(
    ({ to, subject, text, date }) =>
      html`<article>
        <h2>${subject}</h2>
        <p>to ${to} at ${date}</p>
        <pre>${text}</pre>
      </article>`,
  )
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Mailbox</title>
        ${PAGE.style}
      </head>
      <body>
        <h1>Mailbox of the sandbox</h1>
        ${articles.length > 0 ? articles : html`<p>Nothing has arrived.</p>`}
      </body>
    </html>`
  return reply.headers(PAGE.headers).send(page.text)
}
