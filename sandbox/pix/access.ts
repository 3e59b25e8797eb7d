import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { readForms } from '../form-page.js'
import { PixProblem } from './wire.js'

/** The scopes that the simulated provider gives its client. */
const SCOPES = ['cob.read', 'cob.write', 'pix.read', 'pix.write', 'webhook.read', 'webhook.write'] as const
export type PixScope = (typeof SCOPES)[number]

/** Short, as some providers' are: clients have to renew it. */
const TOKEN_LIFE_SECONDS = 300

export interface PixCredentials {
  clientId: string
  clientSecret: string
}

/**
 * Adds `POST /oauth/token` (client credentials as HTTP Basic, body as JSON or as a form).
 * @returns what checks a request's token: 401 without a good one, 403 AcessoNegado without the scope
 */
export function addAccess(
  app: FastifyInstance,
  { clientId, clientSecret }: PixCredentials,
  clock: Clock,
): (request: FastifyRequest, scope: PixScope) => void {
  const tokens = new Map<string, { until: number; scopes: readonly string[] }>()
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  readForms(app)
  app.post('/oauth/token', async (request, reply) => {
    const { grant_type: grant, scope } = (request.body ?? {}) as { grant_type?: unknown; scope?: unknown }
    if (request.headers.authorization !== expected) return reply.code(401).send({ error: 'invalid_client' })
    if (grant !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' })
    const scopes = typeof scope === 'string' && scope !== '' ? scope.split(' ') : [...SCOPES]
    if (!scopes.every((word) => SCOPES.some((known) => known === word))) {
      return reply.code(400).send({ error: 'invalid_scope' })
    }
    const token = randomBytes(24).toString('base64url')
    tokens.set(token, { until: clock.now().getTime() + TOKEN_LIFE_SECONDS * 1000, scopes })
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFE_SECONDS, scope: scopes.join(' ') }
  })
  return (request, scope) => {
    const token = tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''))
    if (!token || token.until <= clock.now().getTime()) {
      throw new PixProblem('AcessoNegado', 'O token de acesso não é válido.', { httpStatus: 401 })
    }
    if (!token.scopes.includes(scope)) throw new PixProblem('AcessoNegado', `Falta o escopo ${scope}.`)
  }
}
