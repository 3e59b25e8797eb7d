import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { startSimulator, type Simulator } from '../simulator.js'
import { addAccess, type PixCredentials, type PixScope } from './access.js'
import { createPixBank, RETURN_MODES, type PayRequest, type PixAccount, type PixBank } from './bank.js'
import { CALLBACK_MODES, createCallbacks, type Callbacks } from './callbacks.js'
import { listPix, type PixQuery } from './list-pix.js'
import { centsOf, PixProblem, type Cob, type Pix } from './wire.js'

export interface PixSimulatorOptions {
  /** 0 takes a free port. */
  port: number
  clock: Clock
  credentials: PixCredentials
  account: PixAccount
  /** Keeps charges across starts; left out, nothing is kept. */
  dataDir?: string
}

/**
 * Starts a simulator of a Pix provider: the immediate charges, receipts, returns and webhook of the API Pix 2.9.0 of the
 * Brazilian central bank (bacen/pix-api), its OAuth2 and its refusals. What payers and the network do are control routes:
 * `POST /sandbox/cob/{txid}/{pay|expire|remove}` (`pay` with a `horario` settled then and is shown only now), `POST /sandbox/pix`, paid to the key
 * without a charge, `POST /sandbox/pix/{e2eid}/med` (`{held: true}` leaves it undecided), `POST /sandbox/pix/{e2eid}/return`, which is
 * made in the provider's dashboard, `POST /sandbox/pix/{e2eid}/fee {tarifa}`, by which the provider changes what it keeps, `POST /sandbox/returns {mode}`, which settles, refuses or holds returns, and `POST /sandbox/callbacks {mode}`,
 * which loses, doubles or holds callbacks until `POST /sandbox/callbacks/release {order}`. `GET /sandbox/cob` shows every
 * charge, with all its receipts and returns. `pay` takes `{valor, again, tarifa, pagador}`: what comes, after it was paid too,
 * and the tariff and the payer that the provider tells of.
 */
export async function startPixSimulator(options: PixSimulatorOptions): Promise<Simulator> {
  const { clock, account, dataDir } = options
  const callbacks = createCallbacks()
  const bank = createPixBank({ clock, account, callbacks, ...(dataDir !== undefined && { dataDir }) })
  const unavailable = new PixProblem('ServicoIndisponivel', 'Serviço não está disponível no momento.')
  const simulator = await startSimulator({
    port: options.port,
    serverError: { status: 503, body: unavailable.body },
    routes: (app) => {
      app.setErrorHandler((error, _request, reply) => {
        const problem = error instanceof PixProblem ? error : problemOf(error)
        return reply.code(problem.httpStatus).type('application/problem+json').send(JSON.stringify(problem.body))
      })
      app.setNotFoundHandler(() => {
        throw new PixProblem('NaoEncontrado', 'Entidade não encontrada.')
      })
      addApi(app, bank, { account, check: addAccess(app, options.credentials, clock), clock })
      addControl(app, bank, callbacks)
    },
  })
  return {
    ...simulator,
    close: async () => {
      callbacks.close()
      await simulator.close()
    },
  }
}

/** What the server itself refuses, e.g. a body that is not JSON, or a failure of the simulator's own. */
function problemOf(error: unknown): PixProblem {
  const { statusCode, message } = error as { statusCode?: number; message?: string }
  const isRefusal = statusCode !== undefined && statusCode < 500
  return new PixProblem(isRefusal ? 'RequisicaoInvalida' : 'ErroInternoDoServidor', message ?? 'Falha interna.')
}

type Params<Names extends string> = { Params: Record<Names, string> }

function addApi(
  app: FastifyInstance,
  bank: PixBank,
  options: { account: PixAccount; check: (request: FastifyRequest, scope: PixScope) => void; clock: Clock },
): void {
  const { account, clock } = options
  const needs = (scope: PixScope) => ({
    onRequest: (request: FastifyRequest, _reply: unknown, done: () => void) => {
      options.check(request, scope)
      done()
    },
  })
  app.put<Params<'txid'>>('/cob/:txid', needs('cob.write'), (request, reply) =>
    reply.code(201).send(generated(bank.createCob(request.params.txid, request.body))),
  )
  app.get<Params<'txid'>>('/cob/:txid', needs('cob.read'), (request, reply) =>
    reply.send(complete(bank.findCob(request.params.txid))),
  )
  app.patch<Params<'txid'>>('/cob/:txid', needs('cob.write'), (request, reply) =>
    reply.send(generated(bank.reviseCob(request.params.txid, request.body))),
  )
  app.get<{ Querystring: PixQuery }>('/pix', needs('pix.read'), (request, reply) =>
    reply.send(listPix(bank.listPix(), request.query, received)),
  )
  app.get<Params<'id'>>('/pix/:id', needs('pix.read'), (request, reply) =>
    reply.send(received(bank.findPix(request.params.id))),
  )
  app.put<Params<'e2eid' | 'id'>>('/pix/:e2eid/devolucao/:id', needs('pix.write'), (request, reply) =>
    reply.code(201).send(bank.giveBack(request.params.e2eid, request.params.id, request.body)),
  )
  app.get<Params<'e2eid' | 'id'>>('/pix/:e2eid/devolucao/:id', needs('pix.read'), (request, reply) =>
    reply.send(bank.findReturn(request.params.e2eid, request.params.id)),
  )
  app.put<Params<'key'>>('/webhook/:key', needs('webhook.write'), (request, reply) => {
    const { webhookUrl } = (request.body ?? {}) as { webhookUrl?: unknown }
    const { key } = request.params
    if (key !== account.key || typeof webhookUrl !== 'string' || !URL.canParse(webhookUrl)) {
      throw new PixProblem('WebhookOperacaoInvalida', 'O campo webhook.webhookUrl não respeita o schema.', {
        property: 'webhook.webhookUrl',
      })
    }
    bank.webhooks.put(key, { chave: key, webhookUrl, criacao: clock.now().toISOString() })
    return reply.code(200).send()
  })
  app.get<Params<'key'>>('/webhook/:key', needs('webhook.read'), (request, reply) => {
    const webhook = bank.webhooks.values.get(request.params.key)
    if (!webhook) throw new PixProblem('WebhookNaoEncontrado', 'O webhook não foi encontrado.')
    return reply.send({ ...webhook, cnpj: account.cnpj })
  })
  app.delete<Params<'key'>>('/webhook/:key', needs('webhook.write'), (request, reply) => {
    if (!bank.webhooks.values.has(request.params.key)) {
      throw new PixProblem('WebhookNaoEncontrado', 'O webhook não foi encontrado.')
    }
    bank.webhooks.remove(request.params.key)
    return reply.code(204).send()
  })
}

/** A CobGerada has no receipts; a CobCompleta has them once there are some. */
function generated({ pix: _pix, ...cob }: Cob): object {
  return cob
}

function complete({ pix, ...cob }: Cob): object {
  return pix.length > 0 ? { ...cob, pix: pix.map(received) } : cob
}

function received({ devolucoes, ...pix }: Pix): object {
  return devolucoes.length > 0 ? { ...pix, devolucoes } : pix
}

function addControl(app: FastifyInstance, bank: PixBank, callbacks: Callbacks): void {
  app.get('/sandbox/cob', (_request, reply) => reply.send({ cobs: bank.list() }))
  app.post<Params<'txid'>>('/sandbox/cob/:txid/pay', (request, reply) =>
    reply.send(received(bank.pay(request.params.txid, payRequestOf(request.body)))),
  )
  app.post('/sandbox/pay', (request, reply) => {
    const { code } = (request.body ?? {}) as { code?: unknown }
    return reply.send(received(bank.pay(bank.txidOfCode(code), payRequestOf(request.body))))
  })
  app.post<Params<'txid'>>('/sandbox/cob/:txid/expire', (request, reply) =>
    reply.send(complete(bank.expire(request.params.txid))),
  )
  app.post<Params<'txid'>>('/sandbox/cob/:txid/remove', (request, reply) =>
    reply.send(complete(bank.removeByProvider(request.params.txid))),
  )
  app.post('/sandbox/pix', (request, reply) => reply.send(received(bank.payToKey(payRequestOf(request.body).valor))))
  app.post<Params<'e2eid'>>('/sandbox/pix/:e2eid/med', (request, reply) =>
    reply.send(bank.takeBack(request.params.e2eid, { ...payRequestOf(request.body), held: isHeld(request.body) })),
  )
  app.post<Params<'e2eid'>>('/sandbox/pix/:e2eid/return', (request, reply) => {
    const { e2eid } = request.params
    const { valor = bank.findPix(e2eid).valor } = payRequestOf(request.body)
    return reply.send(bank.giveBack(e2eid, `painel${randomUUID().replaceAll('-', '').slice(0, 20)}`, { valor }))
  })
  app.post<Params<'e2eid'>>('/sandbox/pix/:e2eid/fee', (request, reply) =>
    reply.send(received(bank.changeTariff(request.params.e2eid, payRequestOf(request.body).tarifa ?? '0.00'))),
  )
  app.post('/sandbox/returns', (request, reply) => {
    const mode = modeOf(request.body, RETURN_MODES)
    bank.setReturns(mode)
    return reply.send({ mode })
  })
  app.post('/sandbox/callbacks', (request, reply) => {
    const mode = modeOf(request.body, CALLBACK_MODES)
    callbacks.setMode(mode)
    return reply.send({ mode })
  })
  app.post('/sandbox/callbacks/release', async (request, reply) => {
    const { order } = (request.body ?? {}) as { order?: unknown }
    const released = await callbacks.release(order === 'last-to-first' ? order : 'first-to-last')
    return reply.send({ released })
  })
}

function modeOf<Mode extends string>(body: unknown, modes: readonly Mode[]): Mode {
  const { mode } = (body ?? {}) as { mode?: unknown }
  const known = modes.find((candidate) => candidate === mode)
  if (!known) throw new PixProblem('RequisicaoInvalida', `mode: ${modes.join(', ')}`)
  return known
}

function isHeld(body: unknown): boolean {
  return (body as { held?: unknown } | null)?.held === true
}

/** What a control route is told of a payment. Throws PixProblem. */
function payRequestOf(body: unknown): PayRequest {
  const { valor, again, horario, tarifa, pagador } = (body ?? {}) as Record<string, unknown>
  if (valor !== undefined && !centsOf(valor)) throw new PixProblem('RequisicaoInvalida', 'valor: "10.50"')
  if (horario !== undefined && Number.isNaN(Date.parse(String(horario))))
    throw new PixProblem('RequisicaoInvalida', 'horario: RFC 3339')
  if (tarifa !== undefined && centsOf(tarifa) === undefined)
    throw new PixProblem('RequisicaoInvalida', 'tarifa: "0.99"')
  return {
    ...(valor !== undefined && { valor: String(valor) }),
    ...(again === true && { again }),
    ...(typeof horario === 'string' && { horario }),
    ...(tarifa !== undefined && { tarifa: String(tarifa) }),
    ...(pagador !== undefined && { pagador: payerOf(pagador) }),
  }
}

function payerOf(given: unknown): NonNullable<PayRequest['pagador']> {
  const { cpf, cnpj, nome } = (given ?? {}) as Record<string, unknown>
  const isPerson = typeof cpf === 'string' && /^\d{11}$/.test(cpf)
  const isCompany = typeof cnpj === 'string' && /^\d{14}$/.test(cnpj)
  if (isPerson === isCompany || typeof nome !== 'string') {
    throw new PixProblem('RequisicaoInvalida', 'pagador: {cpf or cnpj, nome}')
  }
  return { ...(isPerson && { cpf }), ...(isCompany && { cnpj }), nome }
}
