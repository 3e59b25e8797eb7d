import { createTransport } from 'nodemailer'
import { AppError } from './errors.js'
import type { Logger } from './log.js'
import { announceProvider, beginCall, hostOf, type ProviderFailure } from './provider-health/provider-calls.js'
import { UnsentMail } from './unsent-mail.js'

/** One e-mail to one address. */
export interface MailMessage {
  to: string
  subject: string
  text: string
  html: string
  /** The same for the same e-mail sent again, by which a mailbox knows it; made up where left out. */
  messageName?: string
  /** Where its reader gets no more of its kind; also by a POST without a question (RFC 8058). */
  unsubscribeUrl?: string
}

/** A server that needs all of its time more often than that for one e-mail does not answer in time. */
const STEPS_AT_THEIR_LONGEST = 3

/** Codes of nodemailer that mean "no answer in time". */
const TIMEOUT_CODES: ReadonlySet<unknown> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT'])

/** Codes of nodemailer for what fails before the e-mail is on its way. */
const UNSENT_CODES: ReadonlySet<unknown> = new Set(['EAUTH', 'EDNS', 'EENVELOPE', 'ETLS'])

/**
 * Sends e-mails over SMTP. `send` throws provider_unavailable or provider_timeout; `isUnsentMail` tells whether the e-mail is certainly
 * not sent.
 * @param options.url `smtp://user:password@host:587` (STARTTLS where the server has it) or `smtps://…:465`
 * @param options.from the sender, e.g. `Example <no-reply@example.com>`
 * @param options.timeoutMs how long the server may take for each step, and three times that for an e-mail: one that answers a
 *   little at a time keeps no step waiting, and could hold its caller for ever
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
  const watched = { provider: 'smtp', chain: '', host: hostOf(options.url) }
  announceProvider(watched)
  return {
    async send({ to, subject, text, html, messageName, unsubscribeUrl }) {
      const end = beginCall(watched)
      const signal = AbortSignal.timeout(options.timeoutMs * STEPS_AT_THEIR_LONGEST)
      try {
        // As an object the address is one address, whatever is in it.
        await transport.sendMail({
          from: options.from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          signal,
          ...idOf(messageName, options.from),
          ...unsubscribing(unsubscribeUrl),
        })
        end()
      } catch (error) {
        const { code: ownCode, responseCode, syscall } = error as Partial<Record<string, unknown>>
        const code = signal.aborted ? 'ETIMEDOUT' : ownCode
        end(failureOf(code, responseCode))
        // Not the error itself: it quotes the server's answer, which names the address.
        options.log.warn({ provider: 'smtp', code, responseCode }, 'an e-mail could not be sent')
        if (TIMEOUT_CODES.has(code)) throw new AppError('provider_timeout')
        const isUnsent = isRefusal(responseCode) || UNSENT_CODES.has(code) || syscall === 'connect'
        throw new AppError('provider_unavailable', isUnsent ? { cause: new UnsentMail() } : {})
      }
    },
    close: () => {
      transport.close()
    },
  }
}

/** What a code of nodemailer says of the server; one that refuses an address or a message for good does its business. */
function failureOf(code: unknown, responseCode: unknown): ProviderFailure | undefined {
  if (TIMEOUT_CODES.has(code)) return 'timeout'
  if (code === 'EAUTH') return 'auth'
  const isForGood = isRefusal(responseCode) && responseCode >= 500
  return isForGood && (code === 'EENVELOPE' || code === 'EMESSAGE') ? undefined : 'unavailable'
}

/** RFC 5321: with 4xx and 5xx a server says that it has not taken the e-mail. */
function isRefusal(responseCode: unknown): responseCode is number {
  return typeof responseCode === 'number' && responseCode >= 400
}

/** RFC 2369 and 8058: by these headers mail programs offer to unsubscribe. */
function unsubscribing(url: string | undefined): { headers?: Record<string, string> } {
  if (url === undefined) return {}
  return { headers: { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } }
}

/** RFC 5322: `Message-ID` is unique for a message, here by its name at the sender's host. */
function idOf(name: string | undefined, from: string): { messageId?: string } {
  if (name === undefined) return {}
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return { messageId: `<${name}@${host}>` }
}
