import { formatEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { ending } from '../../../test/harness/at-end.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceIn, compareFinal, openDifferences } from '../fixtures/books.js'
import { runLedgerWorking } from '../fixtures/run-ledger.js'
import { severalAccounts } from '../fixtures/several-accounts.js'
import { HOUSE } from '../model/house-entries.js'
import { feeEntry } from '../model/ledger-entries.js'
import { startPayments } from '../server.js'
import { auditedAccounts } from './audited-accounts.js'
import type { PayoutChain } from './payout-chain.js'

const keys = Array.from({ length: 9 }, () => generatePrivateKey())
const harness = await startSettlementHarness({ moreTreasuryKeys: keys, finalityBlocks: 4 })
const { chain, deps, treasury } = harness
const { compareBooks, fund, mint, move, order, pay, ...steps } = severalAccounts(harness)
const ports = deps.payoutChains.evm ?? []
const [first] = ports as [PayoutChain]
const addresses = keys.map(privateKeyToAddress) as Address[]
const [, ...ownPorts] = ports

/** Those of them that were ever in the settings: the books have what these hold. */
let known: Address[] = [treasury]

/** The settings have these accounts from now on, beside the first. @returns their addresses */
function add<Count extends number>(count: Count): Address[] {
  const from = known.length - 1
  const added = addresses.slice(from, from + count)
  known = [...known, ...added]
  deps.payoutChains.evm = [first, ...ownPorts.slice(0, known.length - 1)]
  return added
}

const expectAgreement = () => steps.expectAgreement(...known)

async function resolveAll(): Promise<void> {
  for (const { id } of await openDifferences(deps)) {
    await runLedgerWorking(harness, 'resolve', id, '--reason', 'an operator knows', '--as', 'owner')
  }
}

deps.payoutChains.evm = [first]
await compareBooks()

describe('an account that was added to a treasury', () => {
  it.each(['to', 'from'])('may be moved tokens %s by an order before its first comparison', async (direction) => {
    const owner = Number(await balanceIn(deps, 'owner', 'USDT'))
    const [added = treasury] = add(1)
    await fund(added, '100')
    const { transactionHash } = await (direction === 'to' ? move(treasury, added, '40') : move(added, treasury, '40'))
    await harness.anvil.mine({ blocks: 4 })
    expect(await order(transactionHash)).toBe("40 USDT between the treasury's accounts")
    await expectAgreement()
    expect(Number(await balanceIn(deps, 'owner', 'USDT'))).toBe(owner - 100)
  })

  it('may come together with another that it had something from', async () => {
    const [one = treasury, other = treasury] = add(2)
    const owner = Number(await balanceIn(deps, 'owner', 'USDT'))
    await fund(one, '70')
    await fund(other, '10')
    await move(other, one, '5')
    await expectAgreement()
    expect(Number(await balanceIn(deps, 'owner', 'USDT'))).toBe(owner - 80)
    await move(one, other, '3')
    await compareBooks()
    expect((await openDifferences(deps)).map(({ kind }) => kind)).toEqual(['wrong_balance'])
    await resolveAll()
    await expectAgreement()
  })

  it('is compared though it left the settings before its first comparison, once it has paid', async () => {
    const [added = treasury] = add(1)
    await fund(added, '100')
    const without = deps.payoutChains.evm?.filter(({ account }) => account !== added) ?? []
    deps.payoutChains.evm = ownPorts.filter(({ account }) => account === added)
    await pay()
    deps.payoutChains.evm = without
    await expectAgreement()
    await move(added, harness.newReceiver(), '7')
    await compareBooks()
    expect(await openDifferences(deps)).toMatchObject([
      { kind: 'unknown_transfer', actual: '-7' },
      { kind: 'wrong_balance' },
    ])
    await resolveAll()
    await expectAgreement()
  })

  it('may be the receiver of a payout, which is told with its hash', async () => {
    const [added = treasury] = add(1)
    await fund(added, '100')
    await pay(added)
    // It came before the first comparison, and is part of what was held.
    await expectAgreement()
    await pay(added)
    await compareBooks()
    expect((await openDifferences(deps)).map(({ kind }) => kind)).toEqual(['unknown_transfer'])
    await resolveAll()
    await expectAgreement()
  })

  it('has paid the gas of what moved nothing, and waits for what nobody has decided', async () => {
    const [added = treasury] = add(1)
    await fund(added, '10')
    const { transactionHash: hash, gasUsed, effectiveGasPrice } = await move(added, added, '1')
    await harness.query(
      `insert into payments.treasury_transaction (chain_name, hash, account, batch_id, version, nonce, raw, state, created_at)
        values ('polygon', $1, $2, 'reverted', 0, 0, '0x', 'unexpected', now())`,
      [hash, added],
    )
    expect(await compareFinal(harness)).toMatch(/waits for a decision/)
    await harness.query(`update payments.treasury_transaction set state = 'failed' where hash = $1`, [hash])
    const gas = { amount: formatEther(gasUsed * effectiveGasPrice), currency: chain.nativeCoin.symbol }
    await deps.ledger.bookOnce({ ...HOUSE, at: deps.clock.now() }, feeEntry(hash, 'polygon', gas))
    await expectAgreement()
  })

  it('is compared once a process starts that has it', async () => {
    const [added = treasury] = add(1)
    const treasuryEvmSigners = harness.options.treasuryEvmSigners.slice(0, known.length)
    const options = { ...harness.options, treasuryEvmSigners, databaseUrl: harness.databaseUrl, poolSize: 4 }
    ending(await startPayments(options))
    await harness.runJobs()
    expect((await deps.treasuryBooks.begunAccounts('polygon')).map(({ account }) => account)).toContain(added)
    await expectAgreement()
  })

  it('is no more of the treasury’s when it has become the gas payer', async () => {
    const [added = treasury] = add(1)
    await expectAgreement()
    const accountsOf = async (gasPayer: string) => {
      const gasPayerAudit = { ...deps.gasPayerAudit, account: gasPayer }
      const payoutChains = { evm: [first] }
      return (await auditedAccounts({ ...deps, payoutChains, gasPayerAudit }, chain)).map(({ account }) => account)
    }
    expect(await accountsOf(harness.newReceiver())).toContain(added)
    expect(await accountsOf(added)).not.toContain(added)
    expect(await accountsOf(treasury)).toContain(treasury)
  })
})
