import type { FastifyInstance } from 'fastify'
import { startSimulator, type Simulator } from '../simulator.js'
import { openBank } from './bank.js'
import { createDispatch, parseFailure } from './rpc/dispatch.js'
import type { ChainAccount } from './svm.js'

/** How the chain's own process is started. */
export interface ServeOptions {
  /** The folder that keeps the chain. */
  dataDir: string
  /** 0 takes a free one. */
  port: number
  /** How far the product's clock is ahead of the machine's, in milliseconds. */
  aheadMs: number
}

/** An account as the control route takes it: lamports as a decimal string, data in base64. */
export interface AccountMessage extends Omit<ChainAccount, 'data' | 'lamports'> {
  lamports: string
  data: string
}

/**
 * Serves the chain on 127.0.0.1: JSON-RPC on `/`, and beside the simulators' faults these control routes:
 * `POST /sandbox/advance {seconds}`, `POST /sandbox/accounts {accounts}`, `POST /sandbox/programs {id, bytes}`.
 */
export async function serve(options: ServeOptions): Promise<Simulator> {
  let { aheadMs } = options
  const bank = openBank({ dataDir: options.dataDir, nowMs: () => Date.now() + aheadMs })
  const dispatch = createDispatch(bank)
  const simulator = await startSimulator({
    port: options.port,
    // What a hosted node's gateway answers while its node is away.
    serverError: {
      status: 503,
      body: { jsonrpc: '2.0', error: { code: -32603, message: 'Service unavailable' }, id: null },
    },
    routes: (app) => {
      takeAnyJson(app)
      app.post('/', async (request, reply) => {
        const { body } = request
        const answer = body instanceof SyntaxError ? parseFailure() : dispatch(body)
        return answer === undefined ? reply.code(204).send() : answer
      })
      app.post<{ Body: { seconds: number } }>('/sandbox/advance', async ({ body }) => {
        aheadMs += body.seconds * 1000
        return bank.slots.current()
      })
      app.post<{ Body: { accounts: AccountMessage[] } }>('/sandbox/accounts', async ({ body }) => {
        bank.setAccounts(body.accounts.map(readAccount))
        return { set: body.accounts.length }
      })
      app.post<{ Body: { id: string; bytes: string } }>('/sandbox/programs', async ({ body }) => {
        bank.addProgram(body.id, Buffer.from(body.bytes, 'base64'))
        return { id: body.id }
      })
    },
  })
  return {
    ...simulator,
    close: async () => {
      await simulator.close()
      bank.close()
    },
  }
}

/** A node answers a body that is not JSON by a JSON-RPC error, not by an HTTP one. */
function takeAnyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, JSON.parse(String(text)))
    } catch (error) {
      done(null, error)
    }
  })
}

function readAccount({ lamports, data, ...account }: AccountMessage): ChainAccount {
  return { ...account, lamports: BigInt(lamports), data: Buffer.from(data, 'base64') }
}
