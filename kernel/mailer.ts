import { createTransport } from 'nodemailer'
import { AppError } from './errors.js'
import type { Logger } from './log.js'

/** One e-mail to one address. */
export interface MailMessage {
  to: string
  subject: string
  text: string
  html: string
}

/** Codes of nodemailer that mean "no answer in time". */
const TIMEOUT_CODES: ReadonlySet<unknown> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT'])

/**
 * Sends e-mails over SMTP.
 * @param options.url `smtp://user:password@host:587` (STARTTLS where the server has it) or `smtps://…:465`
 * @param options.from the sender, e.g. `Example <no-reply@example.com>`
 * @param options.timeoutMs how long the server may take for each step
 */
export function createMailer(options: { url: string; from: string; timeoutMs: number; log: Logger }): {
  send: (message: MailMessage) => Promise<void>
  close: () => void
} {
  const transport = createTransport({
    url: options.url,
    connectionTimeout: options.timeoutMs,
    greetingTimeout: options.timeoutMs,
    socketTimeout: options.timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html }) {
      try {
        // As an object the address is one address, whatever is in it.
        await transport.sendMail({ from: options.from, to: { name: '', address: to }, subject, text, html })
      } catch (error) {
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
        // Not the error itself: it quotes the server's answer, which names the address.
        options.log.warn({ provider: 'smtp', code, responseCode }, 'an e-mail could not be sent')
        throw new AppError(TIMEOUT_CODES.has(code) ? 'provider_timeout' : 'provider_unavailable')
      }
    },
    close: () => {
      transport.close()
    },
  }
}
