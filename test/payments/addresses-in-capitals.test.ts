import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { shareAmounts } from '../../chains/shares.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { startHarness } from '../harness/harness.js'
import { createTransaction, execute, register, untilStatus } from '../harness/rest-payments.js'

const harness = await startHarness()
const payer = await harness.chain.newPayer({ POL: '1000' })
const inCapitals = (address: Address): Address => `0x${address.slice(2).toUpperCase()}`

it.each([[100], [60, 40]])(
  'a payment goes from a wallet to wallets that are written in capitals: %o',
  async (...percents) => {
    const receivers = percents.map(() => harness.chain.newReceiver())
    const shares = receivers.map((wallet, index) => ({
      receiver_wallet: inCapitals(wallet),
      receiver_percent: percents[index],
    }))
    const id = await register(harness, harness.tenant, { split_payment_config: shares })
    const built = await createTransaction(harness, harness.tenant, id, inCapitals(payer.address))
    const raw = await signRequest(payer, built.transactionRequest)
    expect((await execute(harness, harness.tenant, { id, raw })).body.status).toMatch(/^payment_/)
    expect(await untilStatus(harness, harness.tenant, id, 'success')).toMatchObject({
      payer_wallet: inCapitals(payer.address),
      split_payment_config: shares,
    })
    const got = await Promise.all(receivers.map((receiver) => harness.chain.balanceOf('USDT', receiver)))
    expect(got).toEqual(shareAmounts(18_450_185n, percents.map(String)))
  },
)
