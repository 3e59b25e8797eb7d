import { Keypair } from '@solana/web3.js'
import { toBytes, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Signer } from '../../../chains/evm/signer.js'
import { kmsEvmSigner, kmsSolanaSigner, type KmsAccess } from '../../../chains/signers/aws-kms.js'
import { web3Signer } from '../../../chains/signers/web3signer.js'
import { createLog } from '../../../kernel/log.js'
import { KMS_ACCOUNT, startKms, type KmsStandIn } from '../../../test/harness/aws-kms.js'
import { startPaymentsHarness, type PaymentsHarness } from '../../../test/harness/payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceOf } from '../../../test/harness/solana-side.js'
import { startSolanaHarness } from '../../../test/harness/solana.js'
import { startWeb3Signer, type SignerFault } from '../../../test/harness/web3signer.js'
import type { NewPaymentTerms } from '../domain/registration/new-payment.js'
import { paidPayment, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'

const log = createLog('silent')
const { region, ...credentials } = KMS_ACCOUNT
const [web3SignerKey, kmsKey] = [generatePrivateKey(), generatePrivateKey()]
const solana = await startSolanaHarness()
const standIn = await startWeb3Signer(web3SignerKey)
const kms = await startKms({
  evm: { spec: 'ECC_SECG_P256K1', secret: toBytes(kmsKey) },
  solana: { spec: 'ECC_NIST_EDWARDS25519', secret: solana.treasury.secretKey.slice(0, 32) },
})
const access: KmsAccess = {
  credentials: () => Promise.resolve(credentials),
  url: kms.url,
  now: () => new Date(),
  log,
  timeoutMs: 500,
}
const inWeb3Signer = web3Signer(
  { kind: 'web3signer', url: standIn.url, authorization: undefined, address: privateKeyToAddress(web3SignerKey) },
  { log, timeoutMs: 500 },
)
const inKms = kmsEvmSigner({ kind: 'aws-kms', region, keyId: 'evm', address: privateKeyToAddress(kmsKey) }, access)

/** What goes wrong with a signer before it is well again. */
const FAULTS: SignerFault[] = ['hang', { status: 503, body: '' }, { status: 200, body: `0x${'11'.repeat(65)}` }]

type FailingSigner = Pick<KmsStandIn, 'fault' | 'failures'>

/** Pays charges while the signer fails in each way, and once it is well: nothing is lost, and nothing is paid twice. */
async function payThrough(
  harness: PaymentsHarness,
  signer: FailingSigner,
  terms: readonly Partial<NewPaymentTerms>[],
): Promise<Payment[]> {
  const payments: Payment[] = []
  signer.fault = FAULTS[0]
  for (const one of terms) {
    const { payment } = await paidPayment(harness, { amountFrom: '54.2', ...one })
    payments.push(payment)
  }
  for (const fault of FAULTS) {
    signer.fault = fault
    const before = signer.failures
    await harness.goOn(6)
    expect(signer.failures).toBeGreaterThan(before)
    const present = await Promise.all(payments.map((payment) => presentOf(harness, payment)))
    expect(new Set(present.map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(await harness.query('select 1 from payments.treasury_transaction')).toEqual([])
  }
  signer.fault = undefined
  for (const payment of payments) expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  return payments
}

describe.each<[string, Hex, Signer, FailingSigner]>([
  ['a Web3Signer', web3SignerKey, inWeb3Signer, standIn],
  ['AWS KMS', kmsKey, inKms, kms],
])('a treasury whose key is in %s', async (_, treasuryKey, treasurySigner, signer) => {
  const harness = await startSettlementHarness({ treasuryKey, treasurySigner, batches: true })

  it('pays each receiver once; while the signer fails, payouts wait', { timeout: 60_000 }, async () => {
    const receivers = [harness.newReceiver(), harness.newReceiver(), harness.newReceiver()]
    const before = await harness.transactionCount()
    await payThrough(
      harness,
      signer,
      receivers.map((receiverWallet) => ({ splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }] })),
    )
    expect(await Promise.all(receivers.map(harness.balanceOf))).toEqual([10_000_000n, 10_000_000n, 10_000_000n])
    // All three in one, as all of them waited.
    expect(await harness.transactionCount()).toBe(before + 1)
  })

  it('raises the fees of what is in no block, also where the same bytes get another signature', async () => {
    const receiver = harness.newReceiver()
    const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
    await harness.anvil.setAutomine(false)
    const { payment } = await paidPayment(harness, { amountFrom: '54.2', splitPaymentConfig })
    await harness.goOn(120)
    const rows = await transactionsOf(harness, payment)
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map(({ nonce }) => nonce)).size).toBe(1)
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(receiver)).toBe(10_000_000n)
  })
})

it('a Solana treasury whose key is in AWS KMS pays once; while the signer fails, payouts wait', async () => {
  const { publicKey } = solana.treasury
  const treasurySolanaSigner = kmsSolanaSigner(
    { kind: 'aws-kms', region, keyId: 'solana', address: publicKey.toBase58() },
    access,
  )
  const harness = await startPaymentsHarness({ chain: solana.chain, treasurySolanaSigner })
  const receiverWallet = Keypair.generate().publicKey.toBase58()
  const splitPaymentConfig = [{ receiverWallet, receiverPercent: 100 }]
  await payThrough(harness, kms, [{ splitPaymentConfig, toChain: 'solana', toCurrencySymbol: 'USDC' }])
  const paid = await balanceOf(solana, receiverWallet)
  expect(paid > 9_000_000n && paid < 11_000_000n).toBe(true)
})
