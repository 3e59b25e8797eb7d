import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isAddress, type Address } from 'viem'
import type { Chain } from '../../chains/chain.js'
import { startSimulator, type Simulator } from '../simulator.js'
import { makeQuote } from './quote.js'
import { LIFI_STATUSES, statusOf, type LifiOutcome } from './status.js'
import { LifiError } from './wire.js'

/** What the router simulator is made of. An EVM chain's first entry in `routers` is the SandboxRouter that it sells. */
export interface RouterSimulatorOptions {
  port: number
  chains: readonly Chain[]
  /** The exchange's price of a market symbol, e.g. the price simulator's. */
  priceOf: (symbol: string) => string | undefined
  newId?: () => string
}

/**
 * Starts a simulator of LI.FI (docs.li.fi): `GET /v1/quote/toAmount`, priced by `priceOf` plus a fee of 0.25 %, and `GET
 * /v1/status`, which looks at the chain. The control route `POST /sandbox/router/{txHash} {status, substatus}` orders
 * another outcome for a transaction, and `POST /sandbox/router-payee {payer, payee}` has the calls of a payer on an EVM chain pay
 * somebody else than they say.
 */
export async function startRouterSimulator(options: RouterSimulatorOptions): Promise<Simulator> {
  const ordered = new Map<string, LifiOutcome>()
  const payees = new Map<string, Address>()
  return startSimulator({
    port: options.port,
    serverError: { status: 500, body: { message: 'Internal server error', code: 1006 } },
    routes: (app) => {
      addProviderRoutes(app, { ...options, payees }, ordered)
      addControl(app, ordered)
      addPayees(app, payees)
    },
  })
}

function addProviderRoutes(
  app: FastifyInstance,
  { payees, ...options }: RouterSimulatorOptions & { payees: ReadonlyMap<string, Address> },
  ordered: ReadonlyMap<string, LifiOutcome>,
): void {
  const deps = { chains: options.chains, priceOf: options.priceOf, newId: options.newId ?? randomUUID, payees }
  app.get('/v1/quote/toAmount', (request, reply) => orRefusal(reply, () => makeQuote(deps, request.query)))
  app.get<{ Querystring: { txHash?: unknown } }>('/v1/status', (request, reply) => {
    const { txHash } = request.query
    return orRefusal(reply, () => statusOf(options.chains, txHash, ordered.get(keyOf(txHash))))
  })
}

/** Hashes of EVM chains come in any case, signatures of Solana are exact. */
function keyOf(txHash: unknown): string {
  const text = String(txHash)
  return text.startsWith('0x') ? text.toLowerCase() : text
}

async function orRefusal(reply: FastifyReply, answer: () => Promise<Record<string, unknown>>): Promise<unknown> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof LifiError)) throw error
    const { message, code, toolErrors, httpStatus } = error
    return reply.code(httpStatus).send({ message, code, ...(toolErrors.length > 0 && { errors: toolErrors }) })
  }
}

function addControl(app: FastifyInstance, ordered: Map<string, LifiOutcome>): void {
  app.post<{ Params: { txHash: string } }>('/sandbox/router/:txHash', async (request, reply) => {
    const { status, substatus } = (request.body ?? {}) as { status?: unknown; substatus?: unknown }
    const known = LIFI_STATUSES.find((candidate) => candidate === status)
    if (!known || (substatus !== undefined && typeof substatus !== 'string')) {
      return reply.code(400).send({ message: `body: {status: ${LIFI_STATUSES.join('|')}, substatus?}` })
    }
    const outcome = { status: known, ...(substatus !== undefined && { substatus }) }
    ordered.set(keyOf(request.params.txHash), outcome)
    return outcome
  })
}

function addPayees(app: FastifyInstance, payees: Map<string, Address>): void {
  app.post('/sandbox/router-payee', async (request, reply) => {
    const { payer, payee } = (request.body ?? {}) as { payer?: unknown; payee?: unknown }
    if (typeof payer !== 'string' || !isAddress(payer) || typeof payee !== 'string' || !isAddress(payee)) {
      return reply.code(400).send({ message: 'body: {payer: "0x…", payee: "0x…"}' })
    }
    payees.set(payer.toLowerCase(), payee)
    return { payer, payee }
  })
}
