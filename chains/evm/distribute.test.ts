import { describe, expect, it } from 'vitest'
import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
  parseEventLogs,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import fussyToken from '../../sandbox/anvil/contracts/FussyToken.json' with { type: 'json' }
import greedyReceiver from '../../sandbox/anvil/contracts/GreedyReceiver.json' with { type: 'json' }
import quietToken from '../../sandbox/anvil/contracts/QuietToken.json' with { type: 'json' }
import type { EvmAsset } from '../chain.js'
import { buildTransfer } from './build-transfer.js'
import { verifyTransfers } from './confirm.js'
import { nextSplitStep, type SplitStep } from './distribute.js'
import { forwarderAbi, pullForwarderAbi } from './forwarder.js'
import { estimateCost, readNextNonce, signTransaction } from './signer.js'
import { broadcast } from './broadcast.js'
import { paymentReference, splitAddress, type Split } from './split.js'
import { act, freshAddress, mine, splitOf, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

describe('settling a split payment', async () => {
  let payments = 0
  const harness = await startEvmHarness()
  const owing = (due: bigint) => ({ due, sender: harness.operator.address })
  const newSplit = (receivers: readonly Address[], percents: readonly string[]): Split =>
    splitOf(paymentReference(`payment-${(payments += 1)}`), receivers, percents)

  const pay = async (split: Split, asset: EvmAsset, amount: bigint): Promise<void> => {
    const { chain, client, payer } = harness
    const to = splitAddress(chain.split, split)
    const request = await buildTransfer({ chain, client, from: payer.address, to, asset, symbol: 'X', amount })
    expect((await mine(harness, await signRequest(payer, request))).status).toBe('success')
  }

  /** What the settlement worker does: one operator transaction per step, until nothing is left to do. */
  const settle = async (split: Split, asset: EvmAsset, due = 1n): Promise<{ kinds: string[]; hashes: Hex[] }> => {
    const { chain, client, operator } = harness
    const kinds: string[] = []
    const hashes: Hex[] = []
    for (let round = 0; round < 5; round += 1) {
      const step = await nextSplitStep(client, chain.split, split, asset, owing(due))
      kinds.push(step.kind)
      if (step.kind === 'done' || step.kind === 'waiting' || step.kind === 'owed') return { kinds, hashes }
      hashes.push(await perform(step))
    }
    throw new Error(`the split of ${operator.address} was never done: ${kinds.join()}`)
  }

  const perform = async (step: Extract<SplitStep, { data: Hex }>): Promise<Hex> => {
    const { client, operator, chain } = harness
    const call = { to: step.to, data: step.data, value: 0n }
    const cost = await estimateCost(client, operator.address, call)
    const nonce = await readNextNonce(client, operator.address)
    const signed = await signTransaction(operator, { ...call, ...cost, chainId: chain.chainId, nonce })
    expect(await broadcast(client, signed.raw)).toEqual({ kind: 'sent' })
    expect((await minedReceipt(harness.anvil, signed.hash)).status).toBe('success')
    return signed.hash
  }

  const balance = (asset: EvmAsset, address: Address): Promise<bigint> =>
    asset.kind === 'native'
      ? harness.client.getBalance({ address })
      : harness.client.readContract({
          address: asset.address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [address],
        })

  it('waits until money is there, then gives the receivers 70 and 30 percent to the unit', async () => {
    const receivers = [freshAddress(), freshAddress()] as const
    const split = newSplit(receivers, ['70', '30'])
    expect(await nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, owing(1n))).toEqual({
      kind: 'waiting',
    })
    await pay(split, harness.usdt, 10_000_001n)
    const { kinds, hashes } = await settle(split, harness.usdt)
    expect(kinds).toEqual(['deploy', 'distribute', 'done'])
    expect(await balance(harness.usdt, receivers[0])).toBe(7_000_001n)
    expect(await balance(harness.usdt, receivers[1])).toBe(3_000_000n)
    const receipt = await harness.client.getTransactionReceipt({ hash: hashes[1] ?? '0x' })
    const from = splitAddress(harness.chain.split, split)
    const paid = [7_000_001n, 3_000_000n].map((value, index) => ({
      token: harness.usdt.address,
      from,
      to: receivers[index] ?? zeroAddress,
      value,
    }))
    expect(verifyTransfers(receipt, paid)).toBe(true)
  })

  it('shares late funds out like the first, without deploying again', async () => {
    const receivers = [freshAddress(), freshAddress()] as const
    const split = newSplit(receivers, ['50', '50'])
    await pay(split, harness.usdt, 100n)
    await settle(split, harness.usdt)
    await pay(split, harness.usdt, 7n)
    expect((await settle(split, harness.usdt)).kinds).toEqual(['distribute', 'done'])
    expect(await balance(harness.usdt, receivers[0])).toBe(54n)
    expect(await balance(harness.usdt, receivers[1])).toBe(53n)
    expect(await nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, owing(1n))).toEqual({
      kind: 'done',
      distributed: 107n,
    })
  })

  it('is done only once the sharing out is as old as the chain asks for', async () => {
    const split = newSplit([freshAddress()], ['100'])
    await pay(split, harness.usdt, 5n)
    await settle(split, harness.usdt)
    const look = () =>
      nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, { ...owing(5n), confirmations: 3 })
    expect(await look()).toEqual({ kind: 'waiting' })
    await pay(newSplit([freshAddress()], ['100']), harness.usdt, 1n)
    await pay(newSplit([freshAddress()], ['100']), harness.usdt, 1n)
    expect(await look()).toEqual({ kind: 'done', distributed: 5n })
  })

  it('does not call a forwarder done that was deployed before any money came', async () => {
    const split = newSplit([freshAddress()], ['100'])
    await pay(split, harness.native, 1n)
    await settle(split, harness.native)
    expect(await nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, owing(1n))).toEqual({
      kind: 'waiting',
    })
  })

  it('shares out the native coin, also to one receiver named twice', async () => {
    const receiver = freshAddress()
    const other = freshAddress()
    const split = newSplit([receiver, other, receiver], ['33.333333', '33.333333', '33.333334'])
    await pay(split, harness.native, 1_000_000_000_000_000_001n)
    expect((await settle(split, harness.native)).kinds).toEqual(['deploy', 'distribute', 'done'])
    expect(await balance(harness.native, other)).toBe(333_333_330_000_000_000n)
    expect(await balance(harness.native, receiver)).toBe(666_666_670_000_000_001n)
  })

  it('shares out a token whose transfer returns nothing', async () => {
    const abi = parseAbi(['constructor(address holder, uint256 supply)'])
    const bytecode = quietToken.bytecode as Hex
    const args = [harness.payer.address, 1_000n] as const
    const deployed = await act(harness, {
      from: harness.payer.address,
      data: encodeDeployData({ abi, bytecode, args }),
    })
    const asset = { kind: 'token', address: deployed.contractAddress ?? zeroAddress, decimals: 6 } as const
    const receivers = [freshAddress(), freshAddress()] as const
    const split = newSplit(receivers, ['99', '1'])
    await pay(split, asset, 1_000n)
    expect((await settle(split, asset)).kinds).toEqual(['deploy', 'distribute', 'done'])
    expect(await balance(asset, receivers[0])).toBe(990n)
    expect(await balance(asset, receivers[1])).toBe(10n)
  })

  it('is not done by less than is due, which anybody may send before the payer does', async () => {
    const receiver = freshAddress()
    const split = newSplit([receiver], ['100'])
    await pay(split, harness.usdt, 1n)
    expect((await settle(split, harness.usdt, 100n)).kinds).toEqual(['deploy', 'distribute', 'waiting'])
    await pay(split, harness.usdt, 100n)
    expect((await settle(split, harness.usdt, 100n)).kinds).toEqual(['distribute', 'done'])
    expect(await balance(harness.usdt, receiver)).toBe(101n)
  })

  it('pays the others where one receiver cannot take the coin, and keeps that share for it alone', async () => {
    // The token contract refuses native coins.
    const [refusing, other] = [harness.usdt.address, freshAddress()]
    const split = newSplit([other, refusing], ['50', '50'])
    const address = splitAddress(harness.chain.split, split)
    await pay(split, harness.native, 100n)
    expect((await settle(split, harness.native, 100n)).kinds).toEqual(['deploy', 'distribute', 'owed'])
    expect(await balance(harness.native, other)).toBe(50n)
    expect(await balance(harness.native, address)).toBe(50n)
    // What comes late is shared out as ever, and what is kept is not shared out again.
    await pay(split, harness.native, 10n)
    expect((await settle(split, harness.native, 110n)).kinds).toEqual(['distribute', 'owed'])
    expect(await balance(harness.native, other)).toBe(55n)
    const abi = pullForwarderAbi
    const claim = (from: Address, to: Address) => {
      const args = [zeroAddress, refusing, to] as const
      return act(harness, { from, to: address, data: encodeFunctionData({ abi, functionName: 'claim', args }) })
    }
    expect((await claim(harness.payer.address, harness.payer.address)).status).toBe('reverted')
    expect((await claim(harness.payer.address, refusing)).status).toBe('reverted')
    await harness.anvil.impersonateAccount({ address: refusing })
    await harness.anvil.setBalance({ address: refusing, value: 10n ** 18n })
    const elsewhere = freshAddress()
    expect((await claim(refusing, elsewhere)).status).toBe('success')
    expect(await balance(harness.native, elsewhere)).toBe(55n)
    expect((await claim(refusing, elsewhere)).status).toBe('reverted')
    expect((await settle(split, harness.native, 110n)).kinds).toEqual(['done'])
  })

  it('pays a receiver later whom the token has blocked, and the others at once', async () => {
    const abi = parseAbi([
      'constructor(address holder, uint256 supply)',
      'function setBlocked(address account, bool isBlocked)',
    ])
    const { payer } = harness
    const data = encodeDeployData({ abi, bytecode: fussyToken.bytecode as Hex, args: [payer.address, 1_000n] })
    const token = (await act(harness, { from: payer.address, data })).contractAddress ?? zeroAddress
    const asset = { kind: 'token', address: token, decimals: 6 } as const
    const [blocked, other] = [freshAddress(), freshAddress()]
    const block = (isBlocked: boolean) => {
      const call = encodeFunctionData({ abi, functionName: 'setBlocked', args: [blocked, isBlocked] })
      return act(harness, { from: payer.address, to: token, data: call })
    }
    await block(true)
    const split = newSplit([blocked, other], ['70', '30'])
    await pay(split, asset, 100n)
    expect((await settle(split, asset, 100n)).kinds).toEqual(['deploy', 'distribute', 'owed'])
    expect([await balance(asset, blocked), await balance(asset, other)]).toEqual([0n, 30n])
    await block(false)
    expect((await settle(split, asset, 100n)).kinds).toEqual(['claim', 'done'])
    expect([await balance(asset, blocked), await balance(asset, other)]).toEqual([70n, 30n])
  })

  it('calls nobody unpayable for want of gas', async () => {
    const split = newSplit([freshAddress(), freshAddress(), freshAddress()], ['50', '25', '25'])
    await pay(split, harness.usdt, 100n)
    const deploy = await nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, owing(100n))
    if (deploy.kind !== 'deploy') throw new Error('the forwarder was there already')
    await act(harness, { from: harness.payer.address, to: deploy.to, data: deploy.data })
    const step = await nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, owing(100n))
    if (step.kind !== 'distribute') throw new Error('there was nothing to distribute')
    for (let gas = 180_000n; gas <= 420_000n; gas += 30_000n) {
      const receipt = await act(harness, { from: harness.payer.address, to: step.to, data: step.data, gas })
      expect(parseEventLogs({ abi: pullForwarderAbi, eventName: 'Unpaid', logs: receipt.logs })).toEqual([])
    }
    expect((await settle(split, harness.usdt, 100n)).kinds.at(-1)).toBe('done')
  })

  it('shares out what an address of the first forwarder holds, all or nothing as ever', async () => {
    const receivers = [freshAddress(), freshAddress()] as const
    const split = splitOf(paymentReference(`payment-${(payments += 1)}`), receivers, ['60', '40'], 1)
    await pay(split, harness.usdt, 10n)
    expect((await settle(split, harness.usdt, 10n)).kinds).toEqual(['deploy', 'distribute', 'done'])
    expect(await balance(harness.usdt, receivers[1])).toBe(4n)
  })

  it('pays nobody but the receivers it was made for, no matter who calls', async () => {
    const receiver = freshAddress()
    const thief = freshAddress()
    const split = newSplit([receiver], ['100'])
    await pay(split, harness.usdt, 100n)
    const deploy = await nextSplitStep(harness.client, harness.chain.split, split, harness.usdt, owing(1n))
    if (deploy.kind !== 'deploy') throw new Error('the forwarder was there already')
    await act(harness, { from: harness.payer.address, to: deploy.to, data: deploy.data })
    const to = splitAddress(harness.chain.split, split)
    const forged: (readonly [readonly Address[], readonly bigint[]])[] = [
      [[thief], [10_000n]],
      [
        [receiver, thief],
        [5_000n, 5_000n],
      ],
      [[receiver], [1n]],
      [[], []],
    ]
    for (const [receivers, shares] of forged) {
      const args = [harness.usdt.address, receivers, shares] as const
      const data = encodeFunctionData({ abi: forwarderAbi, functionName: 'distribute', args })
      expect((await act(harness, { from: harness.payer.address, to, data })).status).toBe('reverted')
    }
    expect(await balance(harness.usdt, to)).toBe(100n)
    expect((await settle(split, harness.usdt)).kinds).toEqual(['distribute', 'done'])
    expect(await balance(harness.usdt, receiver)).toBe(100n)
  })

  it.each([
    { place: 'first', total: 100n },
    { place: 'first', total: 50n },
    { place: 'last', total: 100n },
  ])('gives no more to a receiver that calls back in the middle: $place, $total', async (attack) => {
    const deployed = await act(harness, { from: harness.payer.address, data: greedyReceiver.bytecode as Hex })
    const greedy = deployed.contractAddress ?? zeroAddress
    const honest = freshAddress()
    const split = newSplit(attack.place === 'first' ? [greedy, honest] : [honest, greedy], ['50', '50'])
    await pay(split, harness.native, attack.total)
    const deploy = await nextSplitStep(harness.client, harness.chain.split, split, harness.native, owing(1n))
    if (deploy.kind !== 'deploy') throw new Error('the forwarder was there already')
    await act(harness, { from: harness.payer.address, to: deploy.to, data: deploy.data })
    const distribute = await nextSplitStep(harness.client, harness.chain.split, split, harness.native, owing(1n))
    if (distribute.kind !== 'distribute') throw new Error('there was nothing to distribute')
    const { to, data } = distribute
    const abi = parseAbi(['function aim(address target, bytes message)'])
    await act(harness, { from: harness.payer.address, to: greedy, data: encodeFunctionData({ abi, args: [to, data] }) })
    const receipt = await act(harness, { from: harness.payer.address, to, data, gas: 3_000_000n })
    expect(receipt.status).toBe('success')
    const share = attack.total / 2n
    expect(await balance(harness.native, greedy)).toBe(share)
    expect(await balance(harness.native, honest)).toBe(share)
    expect(await balance(harness.native, to)).toBe(0n)
  })
})
