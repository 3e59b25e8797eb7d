import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, ERRORS, type ErrorCode } from '../../kernel/errors.js'
import type { Logger } from '../../kernel/log.js'
import { tellOutcome } from '../request-log.js'

/** Answers as every refusal of the console's own routes is: `{error: {code, message}}`. */
export function refuse(reply: FastifyReply, http: number, code: string, message: string): FastifyReply {
  tellOutcome(reply, code)
  return reply.code(http).send({ error: { code, message } })
}

/** One answer for a code that is wrong, used, or too old: which of them it was is nobody's business. */
export function refuseCode(reply: FastifyReply): FastifyReply {
  return refuse(reply, 401, 'code_refused', 'This code is wrong, or it does not work any more. Ask for a new one.')
}

/** One answer for whatever is wrong with what a passkey has signed. */
export function refusePasskey(reply: FastifyReply): FastifyReply {
  const message = 'This passkey does not sign you in here, or it took longer than five minutes. Try again.'
  return refuse(reply, 401, 'passkey_refused', message)
}

export function refuseStranger(reply: FastifyReply): FastifyReply {
  return refuse(reply, 401, 'not_signed_in', 'Sign in first.')
}

export function refuseRate(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  reply.header('retry-after', String(retryAfterSeconds))
  return refuse(reply, 429, 'rate_limited', 'Too many tries. Wait, then try again.')
}

/** How long an address waits that was sent as many codes as may be. */
const CODES_RETRY_SECONDS = 15 * 60

/** What Fastify itself finds wrong with a request. */
const OF_FASTIFY: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'validation_error',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'validation_error',
}

/** Answers what the console's routes throw. */
export function failed(log: Logger) {
  return (error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof AppError) {
      if (error.code === 'unauthorized') void refuseStranger(reply)
      else if (error.code === 'otp_rate_limited') void refuseRate(reply, CODES_RETRY_SECONDS)
      else void refuse(reply, ERRORS[error.code].http, error.code, error.message)
      return
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      void refuse(reply, 413, 'payload_too_large', 'The body is larger than 4 kB.')
      return
    }
    const code = OF_FASTIFY[error.code] ?? (error instanceof SyntaxError ? 'validation_error' : 'server_error')
    if (code === 'server_error') log.error({ requestId: request.id, err: error }, 'a request of the console failed')
    void refuse(reply, ERRORS[code].http, code, ERRORS[code].message)
  }
}
