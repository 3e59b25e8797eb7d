import { PublicKey } from '@solana/web3.js'
import { afterAll, afterEach, describe } from 'vitest'
import { ROUTES } from '../../rest-compat/routes.js'
import { wallet } from '../../sandbox/solana/seed.js'
import { decodeSigned } from '../../subgraphs/yield/domain/decode-signed.js'
import { readReserve } from '../../subgraphs/yield/providers/beta/reserve.js'
import { passTime } from '../harness/control.js'
import { startDeadSubgraphs } from '../harness/dead-subgraphs.js'
import type { Answer } from '../harness/http.js'
import type { RpcProxy } from '../harness/rpc-proxy.js'
import { moveBody, startYieldRestHarness } from '../harness/rest-yield.js'
import { commonCases, itAnswersItsErrors, pathToNobody, type Cases } from '../harness/route-errors.js'

/** The product waits 30 seconds for a confirmation. */
const SLOWEST_CASE_MS = 60_000

/** What happens to calls in the case that runs; a signature that is never seen is never seen in any. */
let fate: RpcProxy['onCall'] = () => 'pass'
const unseen = new Set<string>()
/** What strategies answered before any provider had ever answered. */
const never = new Map<string, Answer>()
const LISTS = ['/yield/strategies', '/yield/rebalance-opportunities'].flatMap((path) => [path, `${path}/USDC`])

const harness = await startYieldRestHarness()
const overDead = await startDeadSubgraphs()
const neverAnswered = (path: string) => async (): Promise<Answer> => {
  const answer = never.get(path)
  if (!answer) throw new Error(`${path} was not asked`)
  return answer
}
const call = (method: string, path: string, body?: unknown) => harness.call(method, path, body)
const deposit = (body: unknown) => call('POST', '/yield/deposit', body)
const broadcast = (signed: unknown) => harness.broadcast(signed)
const newSigned = async () => harness.signedDeposit(await harness.newWallet())
const isLook = (method: string) => method === 'getSignatureStatuses'
const looks = (value: unknown) => ({ answer: { result: { context: { slot: 1 }, value: [value] } } })

harness.solanaRpc.onCall = (call) =>
  unseen.has(String((call.params[0] as unknown[] | undefined)?.[0])) ? looks(null) : fate(call)
fate = () => 'cut'
for (const path of LISTS) never.set(path, await call('GET', path))
fate = () => 'pass'
const wire = await newSigned()
unseen.add(decodeSigned(wire).signature)
// The case that takes the product's whole patience runs beside all others.
const slow = broadcast(wire)
afterAll(async () => {
  await slow
}, SLOWEST_CASE_MS)
afterEach(() => {
  fate = () => 'pass'
})

const down = async (send: () => Promise<Answer>): Promise<Answer> => {
  fate = () => 'cut'
  return send()
}
const late = async (send: () => Promise<Answer>): Promise<Answer> => {
  const { promise, resolve } = Promise.withResolvers<'cut'>()
  fate = () => promise
  const answer = await send()
  resolve('cut')
  return answer
}

/** A good body of a path that writes; each is of another wallet. */
const goodBody = async (path: string): Promise<object> => {
  if (path === '/yield/broadcast') return { chain_name: 'solana', op_signed: await newSigned() }
  const signer = await harness.newWallet()
  if (path !== '/yield/deposit') await broadcast(await harness.signedDeposit(signer))
  return moveBody(signer, { amount: '2' })
}

const building = (method: string, path: string): Cases => {
  const build = async (change = {}) => call(method, path, moveBody(await harness.newWallet(), change))
  return {
    invalid_parameters: () => build({ amount: 'all of it' }),
    strategy_disabled: () => build({ asset: 'USDT' }),
    insufficient_position: async () =>
      path === '/yield/deposit'
        ? call('POST', '/yield/withdraw', moveBody(await harness.newWallet(), { amount: '1' }))
        : build({ amount: '500' }),
    rebalance_transaction_too_large: async () => {
      const wide = { asset: 'EURC', amount: '1' }
      const { mint, reserve } = harness.kaminoOf('EURC')
      if (path === '/yield/deposit')
        return deposit(moveBody(await harness.newWallet(mint), { ...wide, provider: 'beta' }))
      if (path === '/yield/withdraw') {
        const account = await harness.solana.client.connection.getAccountInfo(new PublicKey(reserve))
        const shares = readReserve(account).shareMint.toBase58()
        return call(method, path, moveBody(await harness.newWallet(shares), { ...wide, provider: 'beta' }))
      }
      const signer = await harness.newWallet(mint)
      await broadcast(await harness.signedDeposit(signer, { ...wide, amount: '5' }))
      const legs = { provider: undefined, provider_out: 'alpha_lend', provider_in: 'beta' }
      return call(method, path, moveBody(signer, { ...wide, ...legs }))
    },
    broadcast_simulation_failed: async () => {
      const signer = await harness.newWallet()
      await broadcast(await harness.signedDeposit(signer))
      await harness.solana.control.setAccounts([wallet(signer.publicKey.toBase58(), 1n)])
      return call(method, path, moveBody(signer, { amount: '1' }))
    },
    provider_unavailable: async () => {
      const signer = await harness.newWallet()
      return down(() => call(method, path, moveBody(signer)))
    },
    provider_timeout: async () => {
      const signer = await harness.newWallet()
      return late(() => call(method, path, moveBody(signer)))
    },
  }
}

const CASES: Readonly<Record<string, Cases>> = {
  'GET /yield/strategies': {
    provider_unavailable: neverAnswered('/yield/strategies'),
  },
  'GET /yield/strategies/:symbol': {
    invalid_parameters: () => call('GET', '/yield/strategies/DOGE'),
    provider_unavailable: neverAnswered('/yield/strategies/USDC'),
  },
  'GET /yield/rebalance-opportunities': {
    invalid_parameters: () => call('GET', '/yield/rebalance-opportunities?symbol=DOGE'),
    provider_unavailable: neverAnswered('/yield/rebalance-opportunities'),
  },
  'GET /yield/rebalance-opportunities/:symbol': {
    invalid_parameters: () => call('GET', '/yield/rebalance-opportunities/DOGE'),
    provider_unavailable: neverAnswered('/yield/rebalance-opportunities/USDC'),
  },
  'POST /yield/deposit': building('POST', '/yield/deposit'),
  'POST /yield/withdraw': building('POST', '/yield/withdraw'),
  'PATCH /yield/rebalance': building('PATCH', '/yield/rebalance'),
  'POST /yield/broadcast': {
    invalid_parameters: async () => {
      const wire = await newSigned()
      return broadcast([wire, wire, wire])
    },
    signed_transaction_missing: () => broadcast(undefined),
    solana_blockhash_expired: async () => {
      const wire = await newSigned()
      await passTime(harness, 200)
      return broadcast(wire)
    },
    broadcast_rejected: async () => {
      const wire = await newSigned()
      fate = ({ method }) =>
        method === 'sendTransaction' ? { answer: { error: { code: -32602, message: 'invalid transaction' } } } : 'pass'
      return broadcast(wire)
    },
    broadcast_simulation_failed: async () => {
      const signer = await harness.newWallet()
      const [most, all] = [
        await harness.signedDeposit(signer, { amount: '999' }),
        await harness.signedDeposit(signer, { amount: '1000' }),
      ]
      await broadcast(most)
      return broadcast(all)
    },
    broadcast_rpc_unavailable: async () => {
      const wire = await newSigned()
      return down(() => broadcast(wire))
    },
    broadcast_confirmation_timeout: () => slow,
    confirm_transaction_failed: async () => {
      const wire = await newSigned()
      const status = { slot: 1, confirmations: null, err: 'AccountInUse', confirmationStatus: 'finalized' }
      fate = ({ method }) => (isLook(method) ? looks(status) : 'pass')
      return broadcast(wire)
    },
    confirm_rpc_unavailable: async () => {
      const wire = await newSigned()
      let isSent = false
      fate = ({ method }) => {
        isSent ||= method === 'sendTransaction'
        return isSent && isLook(method) ? 'cut' : 'pass'
      }
      return broadcast(wire)
    },
  },
  'GET /yield/earnings': {
    params_mismatch: () => call('GET', '/yield/earnings?asset=USDC&provider=beta&chain_name=solana'),
  },
}

const rows = ROUTES.filter(({ path }) => path.startsWith('/yield'))

describe.each(rows.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const { method, path } = route
  const good = {
    path: () => pathToNobody(route),
    body: () => (method === 'GET' ? Promise.resolve(undefined) : goodBody(path)),
  }
  itAnswersItsErrors(name, route, { ...commonCases(harness, route, overDead, good), ...CASES[name] })
})
