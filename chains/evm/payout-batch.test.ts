import { encodeDeployData, encodeFunctionData, erc20Abi, parseAbi, type Address, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import fussyArtifact from '../../sandbox/anvil/contracts/FussyToken.json' with { type: 'json' }
import { act, freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { refusal } from '../../test/harness/refusal.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { createEvmClient } from './client.js'
import { verifyTransfers } from './confirm.js'
import {
  approveBatchCall,
  deployBatchCall,
  payBatchCall,
  payoutBatchAbi,
  payoutBatchAddress,
  readBatchReadiness,
  readUnpaid,
  simulateBatch,
  type BatchLeg,
} from './payout-batch.js'
import { paymentReference } from './split.js'
import { transferCall } from './transfer-call.js'

const fussyAbi = parseAbi([
  'constructor(address holder, uint256 supply)',
  'function setBlocked(address account, bool isBlocked)',
  'function setGas(address account, uint256 gas)',
])

const payer = freshAddress()
const harness = await startEvmHarness(payer)
const { anvil, client, chain, usdt } = harness
const contract = payoutBatchAddress(chain.split)
await act(harness, { from: payer, ...deployBatchCall(chain.split) })
const fussy = await deployFussy()
for (const token of [usdt.address, fussy]) await act(harness, { from: payer, ...approveBatchCall(contract, token) })

let numbers = 0n
const legsOf = (receivers: readonly Address[]): BatchLeg[] =>
  receivers.map((to, index) => ({ to, amount: BigInt(index) + 1n, reference: paymentReference(`p${index}`) }))
const receivers = (count: number) => Array.from({ length: count }, () => freshAddress())
const batchOf = (token: Address, legs: readonly BatchLeg[]) =>
  payBatchCall(contract, { token, number: numbers++, legs })
const balanceOf = (token: Address, account: Address) =>
  anvil.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account] })

async function deployFussy(): Promise<Address> {
  const args = [payer, 1_000_000_000n] as const
  const data = encodeDeployData({ abi: fussyAbi, bytecode: fussyArtifact.bytecode as Hex, args })
  const { contractAddress } = await act(harness, { from: payer, data })
  return contractAddress as Address
}

async function fuss(functionName: 'setBlocked' | 'setGas', account: Address, value: boolean | bigint): Promise<void> {
  const data = encodeFunctionData({ abi: fussyAbi, functionName, args: [account, value] as never })
  await act(harness, { from: payer, to: fussy, data })
}

describe('a batch of payouts', () => {
  it('pays a hundred new receivers for at most 0.6 of the gas of a hundred transfers', async () => {
    expect(await readBatchReadiness(client, contract, { account: payer, token: usdt.address })).toMatchObject({
      hasContract: true,
    })
    const legs = legsOf(receivers(100))
    const receipt = await act(harness, { from: payer, ...batchOf(usdt.address, legs) })
    const expected = legs.map(({ to, amount }) => ({ token: usdt.address, from: payer, to, value: amount }))
    expect(verifyTransfers(receipt, expected)).toBe(true)
    expect(readUnpaid(receipt, contract)).toEqual(new Map())
    const single = transferCall({
      asset: usdt,
      to: freshAddress(),
      amount: 5n,
      reference: paymentReference('one'),
    })
    const { gasUsed } = await act(harness, { from: payer, ...single })
    expect(Number(receipt.gasUsed) / Number(gasUsed * 100n)).toBeLessThanOrEqual(0.6)
  })

  it('pays whom it can and names whom it cannot, as it says before it is sent', async () => {
    const [good, blocked, other] = receivers(3) as [Address, Address, Address]
    await fuss('setBlocked', blocked, true)
    const call = batchOf(fussy, legsOf([good, blocked, other]))
    expect(await simulateBatch(client, payer, call, 3)).toEqual([1])
    const receipt = await act(harness, { from: payer, ...call })
    expect([...readUnpaid(receipt, contract).keys()]).toEqual([1])
    expect(await Promise.all([good, blocked, other].map((to) => balanceOf(fussy, to)))).toEqual([1n, 0n, 3n])
  })

  it.each(['0x', '0x12'])(
    'is tried again, and then not taken at its word, where a node answers %s to it',
    async (result) => {
      const proxy = await startRpcProxy(chain.rpcUrl)
      const asked = createEvmClient({ ...chain, rpcUrl: proxy.url })
      const call = batchOf(usdt.address, legsOf(receivers(2)))
      let answers = 0
      proxy.onCall = () => ((answers += 1) === 1 ? { answer: { result } } : 'pass')
      expect(await simulateBatch(asked, payer, call, 2)).toEqual([])
      proxy.onCall = () => ({ answer: { result } })
      expect((await refusal(simulateBatch(asked, payer, call, 2))).code).toBe('provider_unavailable')
    },
  )

  it('is refused when the same batch comes again under another nonce', async () => {
    const [to] = receivers(1) as [Address]
    const call = batchOf(usdt.address, legsOf([to]))
    await act(harness, { from: payer, ...call })
    const second = await act(harness, { from: payer, ...call, gas: 500_000n })
    expect(second.status).toBe('reverted')
    expect(await balanceOf(usdt.address, to)).toBe(1n)
  })

  it('never calls a receiver unpaid only because its gas ran short', { timeout: 60_000 }, async () => {
    const thirsty = receivers(2)
    for (const account of thirsty) await fuss('setGas', account, 150_000n)
    let paid = 0
    for (let gas = 330_000n; gas <= 600_000n; gas += 15_000n) {
      const receipt = await act(harness, { from: payer, ...batchOf(fussy, legsOf(thirsty)), gas })
      expect(readUnpaid(receipt, contract)).toEqual(new Map())
      if (receipt.status === 'success') paid += 1
    }
    expect(paid).toBeGreaterThan(0)
    expect(await balanceOf(fussy, thirsty[0] as Address)).toBe(BigInt(paid))
  })

  it('moves nothing but what its caller owns, and nothing of a token that is not there', async () => {
    const stranger = freshAddress()
    await anvil.setBalance({ address: stranger, value: 10n ** 18n })
    const [to] = receivers(1) as [Address]
    const foreign = await act(harness, { from: stranger, ...batchOf(usdt.address, legsOf([to])) })
    expect([...readUnpaid(foreign, contract).keys()]).toEqual([0])
    expect(await balanceOf(usdt.address, to)).toBe(0n)
    const nowhere = await act(harness, { from: payer, ...batchOf(freshAddress(), legsOf([to])), gas: 500_000n })
    expect(nowhere.status).toBe('reverted')
    const args = [usdt.address, 10_000n, 1n, '0x1234'] as const
    const data = encodeFunctionData({ abi: payoutBatchAbi, functionName: 'pay', args })
    expect((await act(harness, { from: payer, to: contract, data, gas: 500_000n })).status).toBe('reverted')
  })
})
