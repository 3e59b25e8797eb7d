import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { severalAccounts } from '../fixtures/several-accounts.js'
import { addTreasuryAccounts } from '../store/migrations/0086-treasury-accounts.js'
import type { PayoutChain } from './payout-chain.js'

const key = generatePrivateKey()
const present: Address = privateKeyToAddress(key)
const harness = await startSettlementHarness({ moreTreasuryKeys: [key], finalityBlocks: 4 })
const { deps, treasury } = harness
const { compareBooks, expectAgreement, fund, pay } = severalAccounts(harness)
const [replaced, port] = (deps.payoutChains.evm ?? []) as [PayoutChain, PayoutChain]

it('an account that had not paid when several became possible is not opened again', async () => {
  deps.payoutChains.evm = [replaced]
  await fund(present, '50')
  await pay()
  deps.payoutChains.evm = [port]
  await compareBooks()
  await harness.query('drop table payments.treasury_account')
  for (const statement of addTreasuryAccounts) await harness.query(statement)
  await expectAgreement(treasury, present)
  const firstBlock = (await deps.treasuryBooks.firstBlock('chain:polygon')) ?? 0
  const begun = [present, treasury].map((account) => ({ account, firstBlock, sharedFrom: firstBlock }))
  const byAccount = (one: { account: string }, other: { account: string }) => (one.account < other.account ? -1 : 1)
  expect((await deps.treasuryBooks.begunAccounts('polygon')).toSorted(byAccount)).toEqual(begun.toSorted(byAccount))
  await pay()
  await expectAgreement(treasury, present)
})
