import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeFunctionData, parseEther, parseGwei, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { startAnvil, type Anvil } from './anvil.js'
import { MINTER } from '../../test/harness/evm-side.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { findAnvilBinary } from './binary.js'
import { sandboxTokenAbi, seed } from './seed.js'
import { stateFilePath } from './state-file.js'
import { advance, createAnvilClient } from './test-client.js'
import { ownFolder, ending } from '../../test/harness/at-end.js'
import { until } from '../../test/harness/until.js'
import { minedReceipt } from './mined-receipt.js'

const log = pino({ level: 'silent' })
const PAYER: Address = '0x00000000000000000000000000000000000000a1'
const OPERATOR: Address = '0x00000000000000000000000000000000000000A2'
const TREASURY: Address = '0x00000000000000000000000000000000000000a3'
/** What a transfer of one coin needs besides nonce and receiver. */
const TRANSFER = {
  type: 'eip1559',
  chainId: 31337,
  gas: 21_000n,
  value: parseEther('0.1'),
  maxFeePerGas: parseGwei('10'),
  maxPriorityFeePerGas: 1n,
} as const
const accounts = { payer: PAYER, operator: OPERATOR, treasury: TREASURY }

const usdtBalance = (rpcUrl: string, token: Address, account: Address): Promise<bigint> =>
  createAnvilClient(rpcUrl).readContract({
    address: token,
    abi: sandboxTokenAbi,
    functionName: 'balanceOf',
    args: [account],
  })

describe("the sandbox's EVM node", () => {
  let dataDir: string
  const start = async (port?: number): Promise<Anvil> => {
    return ending(await startAnvil({ dataDir, log, ...(port !== undefined && { port }) }))
  }

  const savedBlock = (): bigint => {
    const state = JSON.parse(readFileSync(stateFilePath(dataDir), 'utf8')) as { block: { number: string } }
    return BigInt(state.block.number)
  }

  beforeEach(async () => {
    dataDir = await ownFolder()
  })

  it('keeps contracts, balances, receipts and its port across an orderly stop', async () => {
    const first = await start()
    const contracts = await seed(first.rpcUrl, accounts)
    const blockNumber = await createAnvilClient(first.rpcUrl).getBlockNumber()
    await first.stop()
    const second = await start()
    expect(second.rpcUrl).toBe(first.rpcUrl)
    expect(await createAnvilClient(second.rpcUrl).getBlockNumber()).toBe(blockNumber)
    expect(await usdtBalance(second.rpcUrl, contracts.tokens.USDT.address, PAYER)).toBe(1_000_000_000_000n)
  })

  it('keeps what was mined a moment before a kill -9', async () => {
    const first = await start()
    const contracts = await seed(first.rpcUrl, accounts)
    const blockNumber = await createAnvilClient(first.rpcUrl).getBlockNumber()
    const saved = (): boolean => existsSync(stateFilePath(dataDir)) && savedBlock() === blockNumber
    await until('it has come to that', saved)
    process.kill(first.pid ?? 0, 'SIGKILL')
    const second = await start()
    expect(await usdtBalance(second.rpcUrl, contracts.tokens.USDT.address, PAYER)).toBe(1_000_000_000_000n)
    expect(await seed(second.rpcUrl, accounts)).toEqual(contracts)
  })

  it('loses nothing that it took, whenever it is killed with -9', async () => {
    const first = await start()
    const { tokens } = await seed(first.rpcUrl, accounts)
    const client = createAnvilClient(first.rpcUrl)
    const payer = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: payer.address, value: parseEther('10') })
    const receivers = Array.from({ length: 20 }, () => privateKeyToAddress(generatePrivateKey()))
    for (const [nonce, to] of receivers.entries()) {
      const signed = await payer.signTransaction({ ...TRANSFER, nonce, to })
      const hash = await client.sendRawTransaction({ serializedTransaction: signed })
      await minedReceipt(client, hash)
    }
    const mint = encodeFunctionData({
      abi: sandboxTokenAbi,
      functionName: 'mint',
      args: [payer.address, 7n],
    })
    await client.sendUnsignedTransaction({ from: MINTER, to: tokens.USDT.address, data: mint })
    process.kill(first.pid ?? 0, 'SIGKILL')

    const { rpcUrl } = await start()
    const second = createAnvilClient(rpcUrl)
    const balances = await Promise.all(receivers.map((address) => second.getBalance({ address })))
    expect(balances).toEqual(receivers.map(() => TRANSFER.value))
    expect(await usdtBalance(rpcUrl, tokens.USDT.address, payer.address)).toBe(7n)
    expect(await second.getTransactionCount({ address: payer.address })).toBe(20)
  })

  it('makes again what was mined, not what gave way to it', async () => {
    const first = await start()
    const client = createAnvilClient(first.rpcUrl)
    const payer = privateKeyToAccount(generatePrivateKey())
    const [dropped, paid] = [privateKeyToAddress(generatePrivateKey()), privateKeyToAddress(generatePrivateKey())]
    await client.setBalance({ address: payer.address, value: parseEther('10') })
    await client.setAutomine(false)
    const send = async (to: Address, maxFeePerGas: bigint): Promise<Hex> => {
      const signed = await payer.signTransaction({ ...TRANSFER, nonce: 0, to, maxFeePerGas })
      return client.sendRawTransaction({ serializedTransaction: signed })
    }
    await send(dropped, parseGwei('10'))
    const hash = await send(paid, parseGwei('20'))
    await client.mine({ blocks: 1 })
    await expect(send(dropped, parseGwei('40'))).rejects.toThrow(/nonce/)
    process.kill(first.pid ?? 0, 'SIGKILL')

    const second = createAnvilClient((await start()).rpcUrl)
    expect((await second.getTransactionReceipt({ hash })).status).toBe('success')
    expect(await second.getBalance({ address: dropped })).toBe(0n)
    expect(await second.getBalance({ address: paid })).toBe(TRANSFER.value)
  })

  it('starts anew, and puts the file aside, where the state file is only half there', async () => {
    writeFileSync(stateFilePath(dataDir), '{"block":{"number":"0x1","ben')
    const anvil = await start()
    expect(await createAnvilClient(anvil.rpcUrl).getBlockNumber()).toBe(0n)
    expect(existsSync(`${stateFilePath(dataDir)}.bad`)).toBe(true)
  })

  it('takes another port where the remembered one was taken meanwhile', async () => {
    const first = await start()
    await first.stop()
    const server = createServer().listen(Number(new URL(first.rpcUrl).port), '127.0.0.1')
    await once(server, 'listening')
    const second = await start()
    expect(second.rpcUrl).not.toBe(first.rpcUrl)
    server.close()
  })

  it('says what is wrong where a wanted port is taken', async () => {
    const first = await start()
    await expect(startAnvil({ port: Number(new URL(first.rpcUrl).port), log })).rejects.toThrow(
      /did not start.*in use/i,
    )
  })

  it('goes on in time, and never back, after the clock was moved and the node restarted', async () => {
    const first = await start()
    await advance(first.rpcUrl, 86_400)
    const before = await createAnvilClient(first.rpcUrl).getBlock()
    expect(Number(before.timestamp)).toBeGreaterThan(Date.now() / 1_000 + 86_000)
    await first.stop()
    const second = await start()
    await advance(second.rpcUrl, 1)
    const after = await createAnvilClient(second.rpcUrl).getBlock()
    expect(after.timestamp).toBeGreaterThan(before.timestamp)
  })

  it('dies with the process that started it, even when that is killed with -9', async () => {
    const lines: string[] = []
    const module = new URL('../../sandbox/processes/child.ts', import.meta.url).href
    const script = `
      import { startChild } from ${JSON.stringify(module)}
      const log = { debug() {}, warn() {} }
      const child = startChild({ name: 'anvil', command: ${JSON.stringify(findAnvilBinary())},
        args: ['--port', '0', '--accounts', '0'], stopSignal: 'SIGTERM', log,
        onLine: (line) => { if (line.startsWith('Listening')) console.log(child.pid) } })`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    parent.stdout.on('data', (data: Buffer) => lines.push(data.toString()))
    await until('it has come to that', () => lines.join('').includes('\n'))
    const pid = Number(lines.join(''))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await until('it has come to that', () => !isAlive(pid))
  })
})

function isAlive(pid: number): boolean {
  try {
    // A zombie whose parent has not looked yet still answers signal 0.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('finding the program', () => {
  it('names the package that is missing, and the platforms that have none', () => {
    expect(() => findAnvilBinary('win32', 'x64')).toThrow(/@foundry-rs\/anvil-win32-amd64 is missing/)
    expect(() => findAnvilBinary('sunos', 'sparc')).toThrow(/does not run on sunos sparc/)
  })
})

describe('seeding', () => {
  it('gives every sandbox the same addresses, and a second run changes no balance that was spent from', async () => {
    const [one, other] = await Promise.all([startAnvil({ log }), startAnvil({ log })])
    try {
      const contracts = await seed(one.rpcUrl, accounts)
      expect(await seed(other.rpcUrl, accounts)).toEqual(contracts)

      const client = createAnvilClient(one.rpcUrl)
      await client.setBalance({ address: PAYER, value: parseEther('500') })
      const blockNumber = await client.getBlockNumber()
      await seed(one.rpcUrl, accounts)
      expect(await client.getBlockNumber()).toBe(blockNumber)
      expect(await client.getBalance({ address: PAYER })).toBe(parseEther('500'))
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  })

  it.each([1, 3, 4, 5, 6, 7, 9, 11, 14])(
    'goes on where an earlier run was cut off after %i changes',
    async (changes) => {
      const anvil = ending(await startAnvil({ log }))
      const link = await startBreakingLink(anvil.rpcUrl, changes)
      await expect(seed(link, accounts)).rejects.toThrow()
      const contracts = await seed(anvil.rpcUrl, accounts)
      const client = createAnvilClient(anvil.rpcUrl)
      expect(await client.getCode({ address: contracts.router })).toBeDefined()
      expect(await client.getBalance({ address: OPERATOR })).toBe(parseEther('1000'))
      expect(await usdtBalance(anvil.rpcUrl, contracts.tokens.USDC.address, TREASURY)).toBe(10_000_000_000_000n)
      expect(await usdtBalance(anvil.rpcUrl, contracts.tokens.USDT.address, PAYER)).toBe(1_000_000_000_000n)
    },
  )
})

/** A way to a node that, after the given number of changes, lets the node do the work and answers no more. */
async function startBreakingLink(rpcUrl: string, changes: number): Promise<string> {
  const link = await startRpcProxy(rpcUrl)
  let left = changes
  link.onCall = ({ method }) => {
    if (/_(setBalance|sendUnsignedTransaction|mine)$/.test(method)) left -= 1
    return left <= 0 ? 'drop-answer' : 'pass'
  }
  return link.url
}
