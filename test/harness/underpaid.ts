import { encodeFunctionData, erc20Abi, parseUnits, type Address } from 'viem'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { CONTRACTS } from './chains.js'
import type { Harness } from './harness.js'
import { pageOfOrder } from './payment-page.js'
import { until } from './until.js'

const QUOTE_MS = 15 * 60_000

/** An exchange sends it, from a wallet that the product knows nothing of. @param amount in base units */
export async function sendUsdt({ chain }: Harness, to: Address, amount: bigint): Promise<void> {
  const { address: from } = await chain.newPayer()
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const hash = await chain.client.sendUnsignedTransaction({ from, to: CONTRACTS.USDT, data })
  await minedReceipt(chain.client, hash)
}

/** A payment at whose address too little has come until its price ran out. */
export async function underpaidPayment(harness: Harness): Promise<string> {
  const { tenant } = harness
  const { client } = harness.chain
  const { id } = await pageOfOrder(harness)
  const open = `mutation ($input: OpenPaymentAddressInput!) {
    openPaymentAddress(input: $input) { payment { address { address } } }
  }`
  const { body } = await harness.graphql(open, { input: { paymentId: id, chainName: 'polygon' } }, { as: tenant })
  const { openPaymentAddress } = body.data as { openPaymentAddress: { payment: { address: { address: Address } } } }
  await sendUsdt(harness, openPaymentAddress.payment.address.address, parseUnits('18', 6))
  await until('it is seen', async () => (await tenant.statusOf(id))['received_amount'] === '18')
  harness.clock.advance(QUOTE_MS + 120_000)
  // The chain's clock may be behind by more, where the product's was moved before.
  const { timestamp } = await client.getBlock()
  const behind = Math.ceil(harness.clock.now().getTime() / 1000) - Number(timestamp)
  await client.increaseTime({ seconds: Math.max(behind, 0) + 1 })
  // The clock stays: ten minutes after the price has run out, only periodic jobs look, which the harness does not run.
  const isUnderpaid = async (): Promise<boolean> => {
    await client.mine({ blocks: 1 })
    return (await tenant.statusOf(id))['status'] === 'error'
  }
  await until('it is underpaid', isUnderpaid)
  return id
}
