import { concatHex, encodeFunctionData, erc20Abi, numberToHex, padHex, sliceHex, type Address, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { MINTER } from '../../../../test/harness/evm-side.js'
import { act } from '../../../../test/harness/evm.js'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import type { PaymentAddress } from '../../model/payment-address.js'

const { harness, anvil, USDT, opened, send, untilSettled } = await startAddressHarness()

/** What `transfer(address,uint256)` is called with: four bytes and two words. */
const CALLDATA_BYTES = 68

/** Code that calls a token's `transfer` for each address, one after the other. */
function payingCode(token: Address, addresses: readonly PaymentAddress[]): Hex {
  const calls = addresses.map(({ address }) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, units(DUE)] })
    const words = [0, 32, 64].map((at) => {
      const word = padHex(sliceHex(data, at, Math.min(at + 32, CALLDATA_BYTES)), { dir: 'right', size: 32 })
      // PUSH32 word, PUSH1 at, MSTORE
      return concatHex(['0x7f', word, '0x60', numberToHex(at, { size: 1 }), '0x52'])
    })
    // CALL with all gas, no value and the calldata; its answer is dropped.
    return concatHex([...words, '0x5f5f60445f5f73', token, '0x5af150'])
  })
  return concatHex([...calls, '0x00'])
}

/** A contract wallet, or an exchange, pays what is due at several addresses by one transaction. */
async function payTogether(addresses: readonly PaymentAddress[]): Promise<void> {
  const wallet = harness.newReceiver()
  for (const address of addresses) await send({ ...address, address: wallet }, DUE)
  await anvil.setCode({ address: wallet, bytecode: payingCode(USDT, addresses) })
  // With what a node estimates the later transfers have no gas, and the whole succeeds all the same.
  expect((await act({ anvil }, { from: MINTER, to: wallet, gas: 1_000_000n })).status).toBe('success')
}

describe('payments by address that one transaction pays', () => {
  it('are shared out side by side: none takes the place of the job of another', async () => {
    const all = [await opened(), await opened(), await opened()]
    await payTogether(all.map(({ address }) => address))
    const hashes = new Set<unknown>()
    for (const { payment, receiver } of all) {
      const settled = await untilSettled(payment)
      expect(settled).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
      expect(await harness.balanceOf(receiver)).toBe(units(DUE))
      hashes.add(settled.tidHash)
    }
    expect(hashes.size).toBe(1)
  })
})
