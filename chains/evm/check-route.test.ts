import { encodeFunctionData, keccak256, parseAbi, zeroAddress, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { startAnvil } from '../../sandbox/anvil/anvil.js'
import { sandboxRouterAbi, seed } from '../../sandbox/anvil/seed.js'
import { ending } from '../../test/harness/at-end.js'
import type { EvmAsset, EvmChain } from '../chain.js'
import { findEvmRouteViolation, type EvmRouteBounds } from './check-route.js'
import { createEvmClient } from './client.js'
import type { EvmCall } from './transfer-call.js'

const fresh = (): Address => privateKeyToAccount(generatePrivateKey()).address
const payer = fresh()
const anvil = ending(await startAnvil({ log: createLog('silent') }))
const { tokens, router } = await seed(anvil.rpcUrl, { payer, operator: fresh(), treasury: fresh() })
const { USDT, USDC } = tokens
const client = createEvmClient({ name: 'test', rpcUrl: anvil.rpcUrl, chainId: 31337 } as unknown as EvmChain)

const usdt: EvmAsset = { kind: 'token', ...USDT }
const usdc: EvmAsset = { kind: 'token', ...USDC }
const coin: EvmAsset = { kind: 'native', decimals: 18 }
const receiver = fresh()
const thief = fresh()

const swap = (from: [Address, bigint], to: [Address, bigint], who = receiver, value = 0n): EvmCall => ({
  to: router,
  data: encodeFunctionData({
    abi: sandboxRouterAbi,
    functionName: 'swap',
    args: [...from, ...to, who, keccak256('0x01')],
  }),
  value,
})
const bounds: EvmRouteBounds = {
  ...{ payer, asset: usdt, symbol: 'USDT', amountIn: 101n, spender: router, gasLimit: 500_000n },
  due: { asset: usdc, receiver, amount: 100n },
}
const check = (call: EvmCall, changes: Partial<EvmRouteBounds> = {}) =>
  findEvmRouteViolation(client, call, { ...bounds, ...changes })
const tokenCall = (to: Address, signature: string, args: readonly unknown[]): EvmCall => ({
  ...{ to, value: 0n },
  data: encodeFunctionData({ abi: parseAbi([signature]), args } as never) as Hex,
})

describe("a router's call", () => {
  it('may be handed out where it takes what was agreed and brings what is due', async () => {
    expect(await check(swap([USDT.address, 101n], [USDC.address, 100n]))).toBeUndefined()
    const native = { asset: coin, symbol: 'POL', amountIn: 5n, spender: undefined }
    expect(await check(swap([zeroAddress, 5n], [USDC.address, 100n], receiver, 5n), native)).toBeUndefined()
    const dueInCoin = { due: { asset: coin, receiver, amount: 7n } }
    expect(await check(swap([USDT.address, 101n], [zeroAddress, 7n]), dueInCoin)).toBeUndefined()
    // On another chain the router's own word for what arrives is all there is.
    expect(await check(swap([USDT.address, 101n], [USDC.address, 1n]), { due: undefined })).toBeUndefined()
  })

  it('may not where less arrives, or elsewhere', async () => {
    expect(await check(swap([USDT.address, 101n], [USDC.address, 99n]))).toBe('amountOut')
    expect(await check(swap([USDT.address, 101n], [USDC.address, 100n], thief))).toBe('amountOut')
    expect(
      await check(swap([USDT.address, 101n], [zeroAddress, 6n]), { due: { asset: coin, receiver, amount: 7n } }),
    ).toBe('amountOut')
  })

  it('may not where it takes more than was agreed, another token, or leave to take one', async () => {
    const crossing = { due: undefined }
    const transfer = 'function transfer(address to, uint256 amount)'
    const allow = 'function approve(address spender, uint256 amount)'
    expect(await check(tokenCall(USDT.address, transfer, [thief, 102n]), crossing)).toBe('amountIn')
    expect(await check(tokenCall(USDC.address, transfer, [thief, 1n]), crossing)).toBe('tokens')
    expect(await check(tokenCall(USDC.address, allow, [thief, 1n]), crossing)).toBe('approval')
    expect(await check(tokenCall(USDT.address, allow, [thief, 1n]), crossing)).toBe('approval')
    const paidInCoin = { ...crossing, asset: coin, symbol: 'POL', amountIn: 5n, spender: undefined }
    expect(await check(tokenCall(USDT.address, transfer, [thief, 1n]), paidInCoin)).toBe('tokens')
  })

  it('is refused where it would revert, and where the payer has not what it takes', async () => {
    await expect(check(swap([USDT.address, 102n], [USDC.address, 100n]))).rejects.toMatchObject({
      code: 'broadcast_simulation_failed',
    })
    await expect(check(swap([USDT.address, 101n], [USDC.address, 100n]), { payer: thief })).rejects.toMatchObject({
      errors: [{ field: 'payerWallet', message: 'has an insufficient USDT balance' }],
    })
  })

  it('is not handed out where what should be paid is no token', async () => {
    const nothing: EvmAsset = { kind: 'token', address: fresh(), decimals: 6 }
    const call = swap([USDT.address, 101n], [USDC.address, 100n])
    await expect(check(call, { asset: nothing })).rejects.toMatchObject({ code: 'provider_unavailable' })
  })
})
