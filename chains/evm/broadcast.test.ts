import { describe, expect, it } from 'vitest'
import { keccak256, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildTransfer } from './build-transfer.js'
import { createEvmClient } from './client.js'
import { isKnown, readConfirmation, verifyNativeTransfer, type Confirmation } from './confirm.js'
import { broadcast } from './broadcast.js'
import { startDroppingProxy, startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { refusal } from '../../test/harness/refusal.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

describe('relaying a signed transaction and asking for it', async () => {
  const harness = await startEvmHarness()
  const to = freshAddress()

  const nativePayment = async (value: bigint, changes: Parameters<typeof signRequest>[2] = {}): Promise<Hex> => {
    const { chain, client, payer, native } = harness
    const request = await buildTransfer({
      chain,
      client,
      from: payer.address,
      to,
      asset: native,
      symbol: 'POL',
      amount: value,
    })
    return signRequest(harness.payer, request, changes)
  }
  const settled = async (hash: Hex): Promise<Confirmation> => {
    await minedReceipt(harness.anvil, hash)
    return readConfirmation(harness.client, harness.chain, hash)
  }
  const refusalOf = (raw: Hex) => refusal(broadcast(harness.client, raw))

  it('pays once, however often the same bytes are sent, before and after they are mined', async () => {
    const raw = await nativePayment(5n)
    const before = await harness.client.getBalance({ address: to })
    await harness.anvil.setAutomine(false)
    expect(await broadcast(harness.client, raw)).toEqual({ kind: 'sent' })
    expect(await broadcast(harness.client, raw)).toEqual({ kind: 'sent', wasKnown: true })
    expect((await readConfirmation(harness.client, harness.chain, keccak256(raw))).state).toBe('pending')
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect((await settled(keccak256(raw))).state).toBe('confirmed')
    expect(await broadcast(harness.client, raw)).toEqual({ kind: 'sent', wasKnown: true })
    expect(await harness.client.getBalance({ address: to })).toBe(before + 5n)
  })

  it('says that the nonce is stale where another transaction used it, or waits with it', async () => {
    const waiting = await nativePayment(1n)
    const rival = await nativePayment(2n)
    await harness.anvil.setAutomine(false)
    await broadcast(harness.client, waiting)
    expect((await refusalOf(rival)).code).toBe('stale_transaction_nonce')
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect((await refusalOf(rival)).code).toBe('stale_transaction_nonce')
    expect(await isKnown(harness.client, keccak256(rival))).toBe(false)
  })

  it("passes the node's own reason on where it refuses", async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const raw = await poor.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce: 0,
      to,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    })
    const failure = await refusalOf(raw)
    expect(failure.code).toBe('broadcast_rejected')
    expect(failure.details).toMatch(/insufficient funds/i)
    expect((await refusalOf(await nativePayment(1n, { chainId: 1 }))).code).toBe('broadcast_rejected')
  })

  it('calls it no verdict where the pool of the node has no room for more of an account', async () => {
    const proxy = await startRpcProxy(harness.chain.rpcUrl)
    // geth's words (core/txpool/errors.go), which anvil never says.
    proxy.onCall = () => ({ answer: { error: { code: -32000, message: 'txpool is full' } } })
    const client = createEvmClient({ ...harness.chain, rpcUrl: proxy.url })
    const outcome = { kind: 'unknown', reason: 'txpool is full', mayBeCheap: true }
    expect(await broadcast(client, await nativePayment(4n))).toEqual(outcome)
  })

  it.each([
    'Internal error',
    'it broke',
    'Unknown error',
    'error decoding response body',
    'deserialization error: expected value at line 1 column 1',
    "TypeError: Cannot read properties of undefined (reading 'nonce')",
    'context deadline exceeded',
  ])('calls it no verdict where a gateway says that the node, which has taken it, failed: %s', async (message) => {
    const proxy = await startRpcProxy(harness.chain.rpcUrl)
    const raw = await nativePayment(6n)
    proxy.onCall = async ({ method }) => {
      if (method !== 'eth_sendRawTransaction') return 'pass'
      await broadcast(harness.client, raw)
      return { answer: { error: { code: -32603, message } } }
    }
    const client = createEvmClient({ ...harness.chain, rpcUrl: proxy.url })
    expect(await broadcast(client, raw)).toEqual({ kind: 'unknown', reason: message })
    expect((await settled(keccak256(raw))).state).toBe('confirmed')
  })

  it('believes the code of an internal error where it says what is wrong about the transaction', async () => {
    const proxy = await startRpcProxy(harness.chain.rpcUrl)
    // reth's words.
    proxy.onCall = () => ({ answer: { error: { code: -32603, message: 'exceeds block gas limit' } } })
    const client = createEvmClient({ ...harness.chain, rpcUrl: proxy.url })
    expect((await refusal(broadcast(client, await nativePayment(4n)))).code).toBe('broadcast_rejected')
  })

  it('calls the outcome unknown where the answer was lost, sends once, and the chain knows it by its hash', async () => {
    const link = await startDroppingProxy(harness.chain.rpcUrl, 'eth_sendRawTransaction')
    const raw = await nativePayment(3n)
    const client = createEvmClient({ ...harness.chain, rpcUrl: link.url })
    expect(await broadcast(client, raw)).toEqual({ kind: 'unknown', reason: 'no connection' })
    expect(link.countOf('eth_sendRawTransaction')).toBe(1)
    expect((await settled(keccak256(raw))).state).toBe('confirmed')
  })

  it('asks once more where a connection broke before any answer, and then says that the chain cannot be asked', async () => {
    const link = await startDroppingProxy(harness.chain.rpcUrl, 'eth_getTransactionReceipt')
    const client = createEvmClient({ ...harness.chain, rpcUrl: link.url })
    const asked = readConfirmation(client, harness.chain, keccak256('0x01'))
    await expect(asked).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    expect(link.countOf('eth_getTransactionReceipt')).toBe(2)
  })

  it('calls a transaction confirmed only after as many blocks as the chain asks for', async () => {
    const strict = { ...harness.chain, confirmations: 3 }
    const raw = await nativePayment(7n)
    const receipt = await mine(harness, raw)
    for (const state of ['confirming', 'confirming', 'confirmed']) {
      expect(await readConfirmation(harness.client, strict, keccak256(raw))).toMatchObject({
        state,
        blockNumber: receipt.blockNumber,
      })
      await harness.anvil.mine({ blocks: 1 })
    }
    const { address: from } = harness.payer
    expect(await verifyNativeTransfer(harness.client, receipt, { from, to, value: 7n })).toBe(true)
    expect(await verifyNativeTransfer(harness.client, receipt, { from, to, value: 8n })).toBe(false)
    expect(await verifyNativeTransfer(harness.client, receipt, { from: to, to, value: 7n })).toBe(false)
  })

  it('tells a reverted transaction from a confirmed one', async () => {
    const raw = await nativePayment(1n, { to: harness.router, data: '0xdeadbeef', gas: 100_000n })
    expect(await broadcast(harness.client, raw)).toEqual({ kind: 'sent' })
    expect(await settled(keccak256(raw))).toMatchObject({ state: 'reverted', receipt: { status: 'reverted' } })
  })

  it('knows nothing of a transaction that was never sent', async () => {
    expect(await readConfirmation(harness.client, harness.chain, keccak256('0x02'))).toEqual({ state: 'unknown' })
  })
})
