import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { encodeFunctionData, parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { CARDS } from '../../sandbox/demo/card-payer.js'
import { sandboxTokenAbi } from '../../sandbox/anvil/seed.js'
import { createTransaction } from '../../subgraphs/payments/domain/create-transaction.js'
import { completeMethods } from '../../terms/methods.js'
import { executeOnChain } from '../../subgraphs/payments/domain/transfers/execute-on-chain.js'
import { cardInput } from '../../subgraphs/payments/fixtures/card-payments.js'
import { cryptoInput, signPayment } from '../../subgraphs/payments/fixtures/crypto-payments.js'
import { checkoutPayment } from '../../subgraphs/payments/fixtures/payments.js'
import { chargeOf, pixInput, presentOf, untilToldOf } from '../../subgraphs/payments/fixtures/pix-payments.js'
import type { CreateTransactionInput } from '../../subgraphs/payments/model/transaction-input.js'
import type { TransactionType } from '../../subgraphs/payments/model/transaction-type.js'
import type { Payment } from '../../subgraphs/payments/store/payment.entity.js'
import type { PaymentMethod } from '../../terms/methods.js'
import { postJson } from '../harness/control.js'
import { MINTER } from '../harness/evm-side.js'
import { act } from '../harness/evm.js'
import { CARD_KEYS, CPF, CREDENTIALS } from '../harness/payments.js'
import { outcomeOf } from '../harness/refusal.js'
import { startSettlementHarness, type SettlementHarness } from '../harness/settlement.js'

const payer = privateKeyToAccount(generatePrivateKey())
const logged: string[] = []
let harness: SettlementHarness

/** What the contract needs to know of a rail. */
export interface RailSubject {
  /** The rail's. */
  name: string
  type: TransactionType
  method: PaymentMethod
  /** The codes of fields that have to be sent. */
  needs: string
  input: (payment: Payment) => CreateTransactionInput
  /** The systems that it calls, each with the control route of faults. */
  systems: (harness: SettlementHarness) => Record<string, string>
  /** Does what the payer or the world outside still has to do. */
  finish: (payment: Payment) => Promise<unknown>
  /** A callback that a stranger sends, not the provider. */
  forged?: { path: string; headers: Record<string, string>; body: object }
}

const SUBJECTS: readonly RailSubject[] = [
  {
    name: 'crypto',
    type: 'crypto',
    method: 'crypto',
    needs: 'payerWallet',
    input: (payment) => cryptoInput(payment, payer.address),
    systems: () => ({ exchange: harness.prices.url, node: harness.faultyNode.url }),
    finish: signAndBroadcast,
  },
  {
    name: 'pix',
    type: 'pixcrypto',
    method: 'pixcrypto',
    needs: 'payerCpf',
    input: (payment) => pixInput(payment),
    systems: () => ({ exchange: harness.prices.url, provider: harness.pix.url, node: harness.faultyNode.url }),
    finish: async (payment) => {
      const { endToEndId } = await harness.pixControl(`/cob/${(await chargeOf(harness, payment)).reference}/pay`)
      await untilToldOf(harness, String(endToEndId))
    },
    forged: { path: 'pix/wrong', headers: {}, body: { pix: [] } },
  },
  {
    name: 'card',
    type: 'cardcrypto',
    method: 'cardcrypto',
    needs: 'cardData',
    input: (payment) => cardInput(payment, { transactionType: 'cardcrypto' }),
    systems: () => ({ exchange: harness.prices.url, provider: harness.card.url, node: harness.faultyNode.url }),
    finish: () => Promise.resolve(),
    forged: { path: 'card/', headers: { authorization: 'Basic d3Jvbmc6b25l' }, body: { id: 'hook_x' } },
  },
]

async function signAndBroadcast(payment: Payment): Promise<void> {
  const signedTransaction = await signPayment(payer, payment)
  await executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })
}

/** A payment of 54.2 BRL, which are 10 USDT, to a receiver of its own. */
async function newPayment(methods: readonly PaymentMethod[]): Promise<{ payment: Payment; receiver: Address }> {
  const receiver = harness.newReceiver()
  const payment = await checkoutPayment(harness, {
    paymentMethodAllowed: completeMethods(Object.fromEntries(methods.map((method) => [method, true]))),
    splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }],
    amountFrom: '54.2',
  })
  return { payment, receiver }
}

const fault = (url: string, body: object) => postJson(`${url}/sandbox/faults`, body)

/** What a caller is told while a system behind ours fails. */
const FAULTS_SHOWN = ['provider_unavailable', 'provider_timeout', 'broadcast_rpc_unavailable']

/** Brings a payment to its end, asking for a transaction again where none was made. */
async function complete({ input, finish }: RailSubject, payment: Payment): Promise<Payment> {
  for (let round = 0; round < 3; round += 1) {
    const { status } = await presentOf(harness, payment)
    if (status === 'registered' || status === 'error') {
      await createTransaction(harness.deps, harness.tenant, input(payment))
    }
    const pending = await presentOf(harness, payment)
    if (pending.status === 'pending') await finish(pending).catch(() => undefined)
    await harness.goOn(35)
    if ((await presentOf(harness, payment)).status === 'success') break
  }
  return presentOf(harness, payment)
}

/** The subjects of rails by their names. Throws where one has none: no rail goes untested. */
export function subjectsOf(names: readonly string[]): RailSubject[] {
  return names.map((name) => {
    const subject = SUBJECTS.find((candidate) => candidate.name === name)
    if (!subject) throw new Error(`the contract has no subject for the rail ${name}`)
    return subject
  })
}

/** The tests that every rail passes: it charges once, pays the receivers once, and tells no secret. */
export async function describeRails(subjects: readonly RailSubject[]): Promise<void> {
  harness = await startSettlementHarness({
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  })
  await harness.anvil.setBalance({ address: payer.address, value: parseEther('1000') })
  const { address } = harness.chain.tokens['USDT'] ?? { address: payer.address }
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [payer.address, 10n ** 12n] })
  await act(harness, { from: MINTER, to: address as Address, data })

  describe.each(subjects)('the rail $name', (subject) => {
    testPaying(subject)
    testTrouble(subject)
  })
}

function testPaying(subject: RailSubject): void {
  const { type, method, input } = subject
  const start = (payment: Payment, tenant = harness.tenant) => createTransaction(harness.deps, tenant, input(payment))

  it('brings a payment to success: the receivers have what was quoted, and it takes no further attempt', async () => {
    const { payment, receiver } = await newPayment([method])
    const started = await start(payment)
    expect(started).toMatchObject({ status: 'pending', transactionType: type, amountTo: '10' })
    expect(await complete(subject, payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(receiver)).toBe(10_000_000n)
    expect(await outcomeOf(start(payment))).toBe('payment_already_processed')
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('names what is missing, asks for its product and for the payment’s leave, and writes nothing before', async () => {
    const { payment } = await newPayment([method])
    const bare = { paymentId: payment.id, transactionType: type, payerEmail: 'ana@example.com' }
    const failures = await createTransaction(harness.deps, harness.tenant, bare).catch(
      (error: { errors?: { field: string }[] }) => error.errors ?? [],
    )
    expect((failures as { field: string }[]).map(({ field }) => field)).toContain(subject.needs)
    expect(await outcomeOf(start(payment, { ...harness.tenant, products: [] }))).toBe('product_disabled')
    expect(await outcomeOf(start(payment, { ...harness.tenant, id: 'another' }))).toBe('payment_not_found')
    const other = await newPayment([method === 'crypto' ? 'pixcrypto' : 'crypto'])
    expect(await outcomeOf(start(other.payment))).toBe('validation_error')
    for (const untouched of [payment, other.payment]) {
      expect(await presentOf(harness, untouched)).toMatchObject({ status: 'registered', sequence: 1 })
    }
  })

  it('answers an idempotency key once, and pays once however many ask at the same time', async () => {
    const { payment, receiver } = await newPayment([method])
    const idempotency = { key: randomBytes(8).toString('hex'), fingerprint: 'same', onReplay: () => undefined }
    const first = await start(payment, { ...harness.tenant, idempotency })
    expect(await start(payment, { ...harness.tenant, idempotency })).toMatchObject({ sequence: first.sequence })
    expect(await complete(subject, payment)).toMatchObject({ status: 'success' })
    const crowd = await newPayment([method])
    await Promise.allSettled(Array.from({ length: 8 }, () => start(crowd.payment)))
    expect(await complete(subject, crowd.payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(receiver)).toBe(10_000_000n)
    expect(await harness.balanceOf(crowd.receiver)).toBe(10_000_000n)
    const accepted = await harness.query(
      `select 1 from payments.receipt where payment_id = $1 and outcome = 'accepted'`,
      [crowd.payment.id],
    )
    expect(accepted).toHaveLength(type === 'crypto' ? 0 : 1)
  })
}

function testTrouble(subject: RailSubject): void {
  const { method, input, finish } = subject
  const start = (payment: Payment, tenant = harness.tenant) => createTransaction(harness.deps, tenant, input(payment))

  it.each(['down', 'slow', 'error', 'drop-answer'])(
    'pays once in spite of its systems: %s, at every call',
    async (mode) => {
      for (const [system, url] of Object.entries(subject.systems(harness))) {
        for (const times of [1, 2, 3, 5]) {
          const { payment, receiver } = await newPayment([method])
          // Prices are kept for a while.
          if (system === 'exchange') await harness.advance(120)
          await fault(url, { mode, times, ms: 50 })
          const code = await outcomeOf(start(payment))
          if (code !== 'done') expect(FAULTS_SHOWN).toContain(code)
          // What is left of the fault meets the payer's turn, and what the worker does then.
          const started = await presentOf(harness, payment)
          if (started.status === 'pending') await fault(url, { mode, times, ms: 50 })
          if (started.status === 'pending') await finish(started).catch(() => undefined)
          await harness.runJobs()
          await fault(url, { mode: 'ok' })
          expect(await complete(subject, payment)).toMatchObject({ status: 'success' })
          expect(await harness.balanceOf(receiver)).toBe(10_000_000n)
        }
      }
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    },
    60_000,
  )

  it('refuses callbacks that are not from its provider', async () => {
    const { path, headers, body } = subject.forged ?? { path: `${subject.name}/x`, headers: {}, body: {} }
    const answer = await fetch(`${harness.options.publicUrl}/callbacks/${path}`, {
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
}
