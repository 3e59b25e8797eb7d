import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { encodeFunctionData, parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxTokenAbi } from '../../../sandbox/anvil/seed.js'
import { createTransaction } from '../domain/create-transaction.js'
import { executeOnChain } from '../domain/transfers/execute-on-chain.js'
import { completeMethods } from '../domain/registration/methods.js'
import type { PaymentMethod } from '../../../terms/methods.js'
import type { TransactionType } from '../model/transaction-type.js'
import { cardInput, CARDS } from '../fixtures/card-payments.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { CARD_KEYS, CPF, CREDENTIALS } from '../fixtures/payments-world.js'
import { chargeOf, pixInput, presentOf, untilToldOf } from '../fixtures/pix-payments.js'
import { startSettlementWorld, type SettlementWorld } from '../fixtures/settlement-world.js'
import type { Payment } from '../store/payment.entity.js'
import type { CreateTransactionInput } from '../model/transaction-input.js'

const MINTER: Address = '0x00000000000000000000000000000000005eed02'
const payer = privateKeyToAccount(generatePrivateKey())
const logged: string[] = []
let world: SettlementWorld

/** What the contract needs to know of a rail. */
interface Subject {
  name: string
  type: TransactionType
  method: PaymentMethod
  /** The codes of fields that have to be sent. */
  needs: string
  input: (payment: Payment) => CreateTransactionInput
  /** The systems that it calls, each with the control route of faults. */
  systems: () => Record<string, string>
  /** Does what the payer or the world outside still has to do. */
  finish: (payment: Payment) => Promise<void>
  /** A callback that somebody else sends. */
  forged?: { path: string; headers: Record<string, string>; body: object }
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'crypto',
    type: 'crypto',
    method: 'crypto',
    needs: 'payerWallet',
    input: ({ id }) => ({
      paymentId: id,
      transactionType: 'crypto',
      payerEmail: 'ana@example.com',
      payerWallet: payer.address,
      chainName: 'polygon',
      payerTokenSymbol: 'USDT',
    }),
    systems: () => ({ exchange: world.prices.url, node: world.faultyNode.url }),
    finish: signAndRelay,
  },
  {
    name: 'pix',
    type: 'pixcrypto',
    method: 'pixcrypto',
    needs: 'payerCpf',
    input: (payment) => pixInput(payment),
    systems: () => ({ exchange: world.prices.url, provider: world.pix.url, node: world.faultyNode.url }),
    finish: async (payment) => {
      const { endToEndId } = await world.pixControl(`/cob/${(await chargeOf(world, payment)).reference}/pay`)
      await untilToldOf(world, String(endToEndId))
    },
    forged: { path: 'pix/wrong', headers: {}, body: { pix: [] } },
  },
  {
    name: 'card',
    type: 'cardcrypto',
    method: 'cardcrypto',
    needs: 'cardData',
    input: (payment) => cardInput(payment, { transactionType: 'cardcrypto' }),
    systems: () => ({ exchange: world.prices.url, provider: world.card.url, node: world.faultyNode.url }),
    finish: () => Promise.resolve(),
    forged: { path: 'card/', headers: { authorization: 'Basic d3Jvbmc6b25l' }, body: { id: 'hook_x' } },
  },
]

beforeAll(async () => {
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged.push(chunk.toString())
      done()
    },
  })
  world = await startSettlementWorld({ log: pino({ level: 'trace' }, stream) })
  await world.anvil.setBalance({ address: payer.address, value: parseEther('1000') })
  const { address } = world.chain.tokens['USDT'] ?? { address: payer.address }
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [payer.address, 10n ** 12n] })
  const hash = await world.anvil.sendUnsignedTransaction({ from: MINTER, to: address as Address, data })
  await world.anvil.waitForTransactionReceipt({ hash })
})
afterAll(() => world.close())

async function signAndRelay(payment: Payment): Promise<void> {
  const unsigned = payment.unsignedTransaction
  if (unsigned?.family !== 'evm') throw new Error('there is no transaction')
  const { to, data, value, nonce, chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = unsigned.transactionRequest
  const signedTransaction = await payer.signTransaction({
    type: 'eip1559',
    to: to as Address,
    data: data as Address,
    value: BigInt(value),
    nonce,
    chainId,
    gas: BigInt(gasLimit),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  })
  await executeOnChain(world.deps, world.tenant, { paymentId: payment.id, signedTransaction })
}

/** A payment of 54.2 BRL, which are 10 USDT, to a receiver of its own. */
async function newPayment(methods: readonly PaymentMethod[]): Promise<{ payment: Payment; receiver: Address }> {
  const receiver = world.newReceiver()
  const payment = await checkoutPayment(world, {
    paymentMethodAllowed: completeMethods(Object.fromEntries(methods.map((method) => [method, true]))),
    splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }],
    amountFrom: '54.2',
  })
  return { payment, receiver }
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'made',
    (error: { code?: string }) => error.code ?? String(error),
  )
const fault = (url: string, body: object) =>
  fetch(`${url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** What a caller is told while a system behind ours fails. */
const FAULTS_SHOWN = ['provider_unavailable', 'provider_timeout', 'broadcast_rpc_unavailable']

/** Brings a payment to its end, asking for a transaction again where none was made. */
async function complete({ input, finish }: Subject, payment: Payment): Promise<Payment> {
  for (let round = 0; round < 3; round += 1) {
    const { status } = await presentOf(world, payment)
    if (status === 'registered' || status === 'error') {
      await createTransaction(world.deps, world.tenant, input(payment))
    }
    const pending = await presentOf(world, payment)
    if (pending.status === 'pending') await finish(pending).catch(() => undefined)
    await world.advance(35)
    await world.runJobs()
    if ((await presentOf(world, payment)).status === 'success') break
  }
  return presentOf(world, payment)
}

describe.each(SUBJECTS)('the rail $name', (subject) => {
  const { type, method, input, finish } = subject
  const start = (payment: Payment, tenant = world.tenant) => createTransaction(world.deps, tenant, input(payment))

  it('brings a payment to success: the receivers have what was quoted, and it takes no further attempt', async () => {
    const { payment, receiver } = await newPayment([method])
    const started = await start(payment)
    expect(started).toMatchObject({ status: 'pending', transactionType: type, amountTo: '10' })
    expect(await complete(subject, payment)).toMatchObject({ status: 'success' })
    expect(await world.balanceOf(receiver)).toBe(10_000_000n)
    expect(await codeOf(start(payment))).toBe('payment_already_processed')
    expect(await world.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('names what is missing, asks for its product and for the payment’s leave, and writes nothing before', async () => {
    const { payment } = await newPayment([method])
    const bare = { paymentId: payment.id, transactionType: type, payerEmail: 'ana@example.com' }
    const failures = await createTransaction(world.deps, world.tenant, bare).catch(
      (error: { errors?: { field: string }[] }) => error.errors ?? [],
    )
    expect((failures as { field: string }[]).map(({ field }) => field)).toContain(subject.needs)
    expect(await codeOf(start(payment, { ...world.tenant, products: [] }))).toBe('product_disabled')
    expect(await codeOf(start(payment, { ...world.tenant, id: 'another' }))).toBe('payment_not_found')
    const other = await newPayment([method === 'crypto' ? 'pixcrypto' : 'crypto'])
    expect(await codeOf(start(other.payment))).toBe('validation_error')
    for (const untouched of [payment, other.payment]) {
      expect(await presentOf(world, untouched)).toMatchObject({ status: 'registered', sequence: 1 })
    }
  })

  it('answers an idempotency key once, and pays once however many ask at the same time', async () => {
    const { payment, receiver } = await newPayment([method])
    const idempotency = { key: randomBytes(8).toString('hex'), fingerprint: 'same', onReplay: () => undefined }
    const first = await start(payment, { ...world.tenant, idempotency })
    expect(await start(payment, { ...world.tenant, idempotency })).toMatchObject({ sequence: first.sequence })
    expect(await complete(subject, payment)).toMatchObject({ status: 'success' })
    const crowd = await newPayment([method])
    await Promise.allSettled(Array.from({ length: 8 }, () => start(crowd.payment)))
    expect(await complete(subject, crowd.payment)).toMatchObject({ status: 'success' })
    expect(await world.balanceOf(receiver)).toBe(10_000_000n)
    expect(await world.balanceOf(crowd.receiver)).toBe(10_000_000n)
    const accepted = await world.query(
      `select 1 from payments.receipt where payment_id = $1 and outcome = 'accepted'`,
      [crowd.payment.id],
    )
    expect(accepted).toHaveLength(type === 'crypto' ? 0 : 1)
  })

  it.each(['down', 'slow', 'error', 'drop-answer'])(
    'pays once in spite of its systems: %s, at every call',
    async (mode) => {
      for (const [system, url] of Object.entries(subject.systems())) {
        for (const times of [1, 2, 3, 5]) {
          const { payment, receiver } = await newPayment([method])
          // Prices are kept for a while.
          if (system === 'exchange') await world.advance(120)
          await fault(url, { mode, times, ms: 50 })
          const code = await codeOf(start(payment))
          if (code !== 'made') expect(FAULTS_SHOWN).toContain(code)
          // What is left of the fault meets the payer's turn, and what the worker does then.
          const started = await presentOf(world, payment)
          if (started.status === 'pending') await fault(url, { mode, times, ms: 50 })
          if (started.status === 'pending') await finish(started).catch(() => undefined)
          await world.runJobs()
          await fault(url, { mode: 'ok' })
          expect(await complete(subject, payment)).toMatchObject({ status: 'success' })
          expect(await world.balanceOf(receiver)).toBe(10_000_000n)
        }
      }
      expect(await world.deps.ledger.findDiscrepancies()).toEqual([])
    },
    60_000,
  )

  it('refuses callbacks that are not from its provider', async () => {
    const { path, headers, body } = subject.forged ?? { path: `${subject.name}/x`, headers: {}, body: {} }
    const answer = await fetch(`${world.options.publicUrl}/callbacks/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(404)
  })

  it('has told the log no secret, no document and no card', () => {
    const text = logged.join('')
    expect(text).toContain('provider answered')
    const secrets = [CREDENTIALS.clientSecret, CARD_KEYS.secretKey, CARD_KEYS.callbackPassword, CPF, CARDS.paid]
    for (const secret of [...secrets, '52998224725', btoa(`${CARD_KEYS.secretKey}:`)])
      expect(text).not.toContain(secret)
  })
})
