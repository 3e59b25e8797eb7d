import { createHash, randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import pg from 'pg'
import { signSession } from '../../checkout/session-link.js'
import { idSource } from '../../kernel/ids.js'
import { handwrittenGuard } from './guard.js'
import { FIND, LIST, LIST_AFTER, REGISTER, type Row } from './handwritten.sql.js'
import { fullPayment, listedPayment, statusRecord } from './handwritten-views.js'
import { addYieldRoutes } from './handwritten-yield.js'
import { REGISTER_SCHEMA, rulesBroken, type RegisterBody } from './register-schema.js'
import type { TargetSettings } from './settings.js'

type Request = FastifyRequest & { tenantId?: string }

/**
 * The routes that a developer would write by hand for these answers, on Fastify, pg and web3.js alone: the limit of what a
 * framework on the same machine could reach.
 */
export async function serveHandwritten(settings: TargetSettings): Promise<void> {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 })
  const newId = idSource(() => new Date())
  const linkKey = Buffer.from(settings.linkKey, 'hex')
  const sessionOf = (row: Row): string => `${settings.publicUrl}/pay/${signSession(row, linkKey)}`
  const app = fastify({ genReqId: () => randomUUID() })
  app.get('/readyz', () => ({ status: 'ready' }))
  addGuard(app, handwrittenGuard(pool, settings.limitPerMinute))

  app.get<{ Params: { id: string } }>('/payment/:id/status', async (request: Request, reply) => {
    const row = await find(request)
    if (!row) return reply.code(404).send({ statusCode: 404, success: false, status: 'payment_not_found' })
    const data = statusRecord(row, sessionOf(row))
    return { statusCode: 200, success: true, status: 'payment_found', message: 'Payment found.', data }
  })

  app.get<{ Params: { id: string } }>('/payments/:id', async (request: Request) => {
    const row = await find(request)
    return { data: { payment: row ? fullPayment(row, sessionOf(row)) : null } }
  })

  app.get<{ Querystring: { after?: string } }>('/payments', async (request: Request) => {
    const { after } = request.query as { after?: string }
    const values = [request.tenantId, PAGE + 1]
    const { rows } = after
      ? await pool.query<Row>({ ...LIST_AFTER, values: [...values, Buffer.from(after, 'base64url').toString()] })
      : await pool.query<Row>({ ...LIST, values })
    return { data: { payments: page(rows, after !== undefined) } }
  })

  app.post('/payment/register/intents-create-order', { schema: { body: REGISTER_SCHEMA } }, register)

  addYieldRoutes(app, settings.yield)

  async function find(request: Request): Promise<Row | undefined> {
    const { id } = request.params as { id: string }
    return (await pool.query<Row>({ ...FIND, values: [request.tenantId, id] })).rows[0]
  }

  async function register(request: Request, reply: FastifyReply): Promise<unknown> {
    const body = request.body as RegisterBody
    if (rulesBroken(body)) return reply.code(400).send({ statusCode: 400, success: false, status: 'validation_error' })
    const id = newId()
    const { rows } = await pool.query<{ id: string }>({
      ...REGISTER,
      values: registerValues(request, id),
    })
    if (!rows[0]) return reply.code(409).send({ statusCode: 409, success: false, status: 'idempotency_key_reused' })
    const data = { payment_id: id }
    const message = 'Payment registered.'
    return reply.code(201).send({ statusCode: 201, success: true, status: 'payment_registered', message, data })
  }

  await app.listen({ port: settings.port, host: '127.0.0.1' })
}

const PAGE = 20

function registerValues(request: Request, id: string): unknown[] {
  const body = request.body as RegisterBody
  return [
    request.tenantId,
    id,
    body.tenant_data.public_client_id,
    body.tenant_data.webhook_url,
    JSON.stringify(body.payment_method_allowed),
    JSON.stringify(
      body.split_payment_config.map((receiver) => ({
        receiverWallet: receiver.receiver_wallet,
        receiverPercent: receiver.receiver_percent,
      })),
    ),
    body.gateway_method,
    body.from_currency_symbol,
    body.amount_from,
    body.to_currency_symbol,
    body.to_chain,
    body.on_ramp,
    body.metadata ? JSON.stringify(body.metadata) : null,
    new Date().toISOString(),
    request.headers['idempotency-key'] ?? null,
    createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    JSON.stringify({ paymentId: id }),
  ]
}

function addGuard(app: FastifyInstance, guard: ReturnType<typeof handwrittenGuard>): void {
  app.addHook('onRequest', (request: Request, reply, done) => {
    if (request.url === '/readyz') {
      done()
      return
    }
    const key = request.headers['x-api-key']
    const verdict = guard(typeof key === 'string' ? key : undefined)
    const goOn = ({ owner, allowed, headers }: Awaited<typeof verdict>): void => {
      reply.headers({ 'x-request-id': request.id, ...headers })
      if (!owner) reply.code(401).send({ statusCode: 401, success: false, status: 'unauthorized' })
      else if (!allowed) reply.code(429).send({ code: 429 })
      else {
        request.tenantId = owner.tenantId
        done()
      }
    }
    if (verdict instanceof Promise) verdict.then(goOn, done)
    else goOn(verdict)
  })
}

function page(rows: readonly Row[], hasPreviousPage: boolean): object {
  const edges = rows
    .slice(0, PAGE)
    .map((row) => ({ cursor: Buffer.from(row.id).toString('base64url'), node: listedPayment(row) }))
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > PAGE,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
