import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { startSolanaPool } from '../../../chaos/nodes/solana-pool.js'
import { nonceAddresses } from '../../../chains/solana/durable-nonces.js'
import { localSolanaSigner } from '../../../chains/solana/signer.js'
import { atEnd } from '../../../test/harness/at-end.js'
import { startPaymentsHarness, type PaymentsHarness } from '../../../test/harness/payments.js'
import { startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceOf } from '../../../test/harness/solana-side.js'
import { until } from '../../../test/harness/until.js'
import { chargedPayment, payAndProcess, presentOf } from '../fixtures/pix-payments.js'
import type { OpenBatch } from '../store/batches.js'
import { readFreeNonces, signRenewals } from './solana-nonces.js'

const first = await startSolanaSettlementHarness()
const { solana, pool } = first

const charged = (harness: PaymentsHarness, receivers: readonly string[]) =>
  chargedPayment(harness, {
    splitPaymentConfig: receivers.map((receiverWallet) => ({
      receiverWallet,
      receiverPercent: 100 / receivers.length,
    })),
    toChain: 'solana',
    toCurrencySymbol: 'USDC',
    amountFrom: '54.2',
  })
const newReceiver = (): string => Keypair.generate().publicKey.toBase58()
const pay = async (harness: PaymentsHarness, receivers: readonly string[]) => {
  const { payment, txid } = await charged(harness, receivers)
  await payAndProcess(harness, txid)
  await until('the payment succeeds', async () => {
    await solana.solana.advance(1)
    await harness.goOn(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
}
const transactionsOf = (harness: PaymentsHarness) =>
  harness.query(`select raw, state, nonce_account, nonce_value, exists (select from payments.batch_leg as leg
    where leg.batch_id = own.batch_id) as pays from payments.treasury_transaction as own order by created_at`)

it('no two batches ever have the same nonce, and as many are created as there are batches', async () => {
  const receivers = Array.from({ length: 20 }, newReceiver)
  await pay(first, receivers)
  await pay(first, [newReceiver()])
  const paying = (await transactionsOf(first)).filter(({ pays }) => pays)
  expect(paying).toHaveLength(4)
  // Accounts that were made in the same block hold the same.
  expect(new Set(paying.map((one) => `${String(one['nonce_account'])} ${String(one['nonce_value'])}`)).size).toBe(4)
  expect(new Set(paying.map(({ nonce_account: account }) => account)).size).toBe(3)
  const held = await Promise.all(receivers.map((receiver) => balanceOf(solana, receiver)))
  // The first has what is left over.
  expect(held).toEqual(receivers.map((_, index) => (index === 0 ? 500_049n : 500_046n)))
})

it('what was signed beside a database that does not know it, as after a restore, can never land once that one pays', async () => {
  pool.isBehind = (method) => method === 'sendTransaction'
  pool.refuses = true
  const receiver = newReceiver()
  const { txid } = await charged(first, [receiver])
  await payAndProcess(first, txid)
  await until('it is signed', async () => {
    await solana.solana.advance(1)
    await first.goOn(1)
    return (await transactionsOf(first)).some(({ pays, state }) => pays && state === 'stored')
  })
  const lost = (await transactionsOf(first)).at(-1)
  const second = await startPaymentsHarness({ chain: solana.chain, treasurySolanaKey: solana.treasury.secretKey })
  await pay(second, [newReceiver()])
  await solana.client.call('sendTransaction', [lost?.['raw'], { encoding: 'base64', skipPreflight: true }])
  expect(await balanceOf(solana, receiver)).toBe(0n)
})

it('a node that is behind has none created that is there, and none used that is used up', async () => {
  const nodes = await startSolanaPool({ rpcUrl: solana.solana.rpcUrl, nodes: 1 })
  atEnd(() => nodes.close())
  const harness = await startPaymentsHarness({
    chain: { ...solana.chain, rpcUrl: nodes.url },
    treasurySolanaKey: solana.treasury.secretKey,
  })
  const receiver = newReceiver()
  // Its nonces are older than this process and are renewed. Slots follow the clock: the lag is longer than a slow machine takes.
  await pay(harness, [receiver])
  const before = (await transactionsOf(harness)).length
  nodes.nodes[0]?.faults.begin({ kind: 'lag', details: { slots: 100 } })
  const { payment, txid } = await charged(harness, [receiver, newReceiver()])
  await payAndProcess(harness, txid)
  for (let second = 0; second < 5; second += 1) {
    await solana.solana.advance(1)
    await harness.goOn(1)
  }
  expect(await transactionsOf(harness)).toHaveLength(before)
  nodes.nodes[0]?.faults.clear()
  await until('the payment succeeds', async () => {
    await solana.solana.advance(1)
    await harness.goOn(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
  // All that was ever signed has landed: nothing was for an account that is there, or for what was used up.
  expect(new Set((await transactionsOf(harness)).map(({ state }) => state))).toEqual(new Set(['confirmed']))
  expect((await harness.deps.alerts.list()).map(({ kind }) => kind)).toEqual([])
})

it('nothing is signed for a nonce that another process renews', async () => {
  const { client, chain, treasury } = solana
  const signer = localSolanaSigner(treasury.secretKey)
  const account = signer.address
  const seen = new Map(nonceAddresses(account).map((address) => [address, 'another value']))
  const none = { newestBlock: 0, usedNonces: () => Promise.resolve(new Set<string>()) }
  const { free } = await readFreeNonces({ client, chain }, account, seen, { open: [], ...none })
  const [renewed, ...others] = free.map((nonce) => nonce.account)
  if (renewed === undefined) throw new Error('there are no nonces')
  const [renewal] = await signRenewals({ client, chain }, signer, [renewed], () => 'renewal')
  const open = [{ pays: null, transaction: { nonceAccount: null, raw: renewal?.raw } }] as unknown as OpenBatch[]
  const left = await readFreeNonces({ client, chain }, account, seen, { open, ...none })
  expect(left.free.map((nonce) => nonce.account)).toEqual(others)
})
