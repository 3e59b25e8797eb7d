import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { encodeFunctionData, keccak256, parseEther, parseEventLogs, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startAnvil } from './anvil.js'
import { sandboxRouterAbi, sandboxTokenAbi, seed } from './seed.js'
import { createAnvilClient, type AnvilClient } from './test-client.js'
import { ending } from '../../test/harness/at-end.js'
import { minedReceipt } from './mined-receipt.js'

const id = keccak256('0x01')
const fresh = (): Address => privateKeyToAccount(generatePrivateKey()).address

describe("the sandbox's router", async () => {
  const payer = fresh()
  const anvil = ending(await startAnvil({ log: createLog('silent') }))
  const client = createAnvilClient(anvil.rpcUrl)
  const contracts = await seed(anvil.rpcUrl, { payer, operator: fresh(), treasury: fresh() })

  const send = async (
    to: Address,
    data: `0x${string}`,
    value = 0n,
  ): ReturnType<AnvilClient['getTransactionReceipt']> => {
    const hash = await client.sendUnsignedTransaction({ from: payer, to, data, value, gas: 500_000n })
    return minedReceipt(client, hash)
  }
  const swap = async (
    from: [Address, bigint],
    into: [Address, bigint],
    to: Address,
    value = 0n,
  ): ReturnType<typeof send> => {
    const args = [...from, ...into, to, id] as const
    return send(contracts.router, encodeFunctionData({ abi: sandboxRouterAbi, functionName: 'swap', args }), value)
  }
  const approve = (token: Address, amount: bigint): ReturnType<typeof send> =>
    send(token, encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'approve', args: [contracts.router, amount] }))
  const tokenBalance = (token: Address, account: Address): Promise<bigint> =>
    client.readContract({ address: token, abi: sandboxTokenAbi, functionName: 'balanceOf', args: [account] })

  it('takes one token and pays another, exactly, and names the quote', async () => {
    const { USDT, USDC } = contracts.tokens
    const receiver = fresh()
    await approve(USDT.address, 101n)
    const receipt = await swap([USDT.address, 101n], [USDC.address, 100n], receiver)
    expect(receipt.status).toBe('success')
    expect(await tokenBalance(USDC.address, receiver)).toBe(100n)
    expect(await tokenBalance(USDT.address, payer)).toBe(1_000_000_000_000n - 101n)
    const [event] = parseEventLogs({ abi: sandboxRouterAbi, eventName: 'Swapped', logs: receipt.logs })
    expect(event?.args).toMatchObject({ id, from: payer, to: receiver, fromAmount: 101n, toAmount: 100n })
  })

  it('takes and pays the native coin', async () => {
    const receiver = fresh()
    const { address } = contracts.tokens.USDT
    expect((await swap([zeroAddress, 5n], [address, 9n], receiver, 5n)).status).toBe('success')
    expect(await tokenBalance(address, receiver)).toBe(9n)
    await approve(address, 9n)
    expect((await swap([address, 9n], [zeroAddress, 3n], receiver)).status).toBe('success')
    expect(await client.getBalance({ address: receiver })).toBe(3n)
  })

  it('refuses what is not allowed, not paid, zero, or more than its reserve', async () => {
    const usdt = contracts.tokens.USDT.address
    const usdc = contracts.tokens.USDC.address
    const receiver = fresh()
    await approve(usdt, 50n)
    const refused: Parameters<typeof swap>[] = [
      [[usdt, 51n], [usdc, 1n], receiver],
      [[usdt, 0n], [usdc, 1n], receiver],
      [[usdt, 1n], [usdc, 0n], receiver],
      [[usdt, 1n], [usdc, 1n], zeroAddress],
      [[usdt, 1n], [usdc, 10n ** 15n], receiver],
      [[usdt, 1n], [usdc, 1n], receiver, 1n],
      [[zeroAddress, 5n], [usdc, 1n], receiver, 4n],
      [[usdt, 1n], [zeroAddress, parseEther('1000000')], receiver],
    ]
    // One after the other: the node counts the payer's nonces, and gives two that ask at once the same one.
    for (const request of refused) expect((await swap(...request)).status, String(request)).toBe('reverted')
    expect(await tokenBalance(usdc, receiver)).toBe(0n)
  })

  it('lets nobody but the minter make money', async () => {
    const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [payer, 1n] })
    expect((await send(contracts.tokens.USDT.address, data)).status).toBe('reverted')
  })
})
