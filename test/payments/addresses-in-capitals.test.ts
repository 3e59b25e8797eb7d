import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { shareAmounts } from '../../chains/shares.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { startHarness } from '../harness/harness.js'
import { splitTo } from '../harness/rest-payments.js'

const harness = await startHarness()
const payer = await harness.chain.newPayer({ POL: '1000' })
const inCapitals = (address: Address): Address => `0x${address.slice(2).toUpperCase()}`

it.each([[100], [60, 40]])(
  'a payment goes from a wallet to wallets that are written in capitals: %o',
  async (...percents) => {
    const receivers = percents.map(() => harness.chain.newReceiver())
    const terms = splitTo(receivers.map(inCapitals), percents)
    const id = await harness.tenant.register(terms)
    const built = await harness.tenant.createTransaction(id, inCapitals(payer.address))
    const raw = await signRequest(payer, built.transactionRequest)
    expect((await harness.tenant.execute({ id, raw })).body.status).toMatch(/^payment_/)
    expect(await harness.tenant.untilStatus(id, 'success')).toMatchObject({
      payer_wallet: inCapitals(payer.address),
      ...terms,
    })
    const got = await Promise.all(receivers.map((receiver) => harness.chain.balanceOf('USDT', receiver)))
    expect(got).toEqual(shareAmounts(18_450_185n, percents.map(String)))
  },
)
