import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { membersOfGroup } from '../../test/harness/processes.js'
import { until } from '../../test/harness/until.js'
import { startOwner } from '../processes/fixtures/owner.js'
import { control } from './control.js'
import { holdingAddress, seedSolana, SOLANA_TOKENS } from './seed.js'
import { startSolana, type Solana, type SolanaOptions } from './solana.js'
import { ownFolder, ending } from '../../test/harness/at-end.js'

const log = createLog('silent')

describe("the sandbox's Solana chain, as a process", { timeout: 60_000 }, () => {
  const payer = Keypair.generate()
  const treasury = Keypair.generate()
  const accounts = { payer: payer.publicKey.toBase58(), treasury: treasury.publicKey.toBase58() }
  let dataDir: string

  beforeEach(async () => {
    dataDir = await ownFolder()
  })

  const start = async (options: Partial<SolanaOptions> = {}): Promise<{ solana: Solana; connection: Connection }> => {
    const solana = ending(await startSolana({ dataDir, log, ...options }))
    await seedSolana(solana.rpcUrl, accounts)
    return { solana, connection: new Connection(solana.rpcUrl, 'confirmed') }
  }
  /** Sends SOL to a new wallet and gives the wallet, whose balance is the amount, and the signature. */
  const send = async (connection: Connection, lamports: number): Promise<{ to: PublicKey; signature: string }> => {
    const to = Keypair.generate().publicKey
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight })
    transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports }))
    transaction.sign(payer)
    return { to, signature: await connection.sendRawTransaction(transaction.serialize()) }
  }
  const kill = (solana: Solana): void => {
    process.kill(solana.pid() ?? 0, 'SIGKILL')
  }
  const killIfAlive = (pid: number | undefined): void => {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended already, and nobody has noticed yet.
    }
  }
  const isBack = (solana: Solana, before: number | undefined) =>
    until('the chain is back', () => solana.pid() !== undefined && solana.pid() !== before)

  it('keeps money, history and address across a restart, and does not fill up what was spent', async () => {
    const first = await start()
    const { to, signature } = await send(first.connection, 900_000_000)
    const balance = await first.connection.getBalance(payer.publicKey)
    const blockhash = await first.connection.getLatestBlockhash()
    await first.solana.stop()
    const second = await start()
    expect(second.solana.rpcUrl).toBe(first.solana.rpcUrl)
    expect(await second.connection.getBalance(to)).toBe(900_000_000)
    expect(await second.connection.getBalance(payer.publicKey)).toBe(balance)
    expect((await second.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta?.fee).toBe(
      5_000,
    )
    expect((await second.connection.isBlockhashValid(blockhash.blockhash)).value).toBe(true)
  })

  it('comes back by itself after a kill -9, at the same address, with everything that it had answered', async () => {
    const { solana, connection } = await start()
    const sent: { to: PublicKey; signature: string }[] = []
    for (let round = 0; round < 3; round += 1) {
      const before = solana.pid()
      // No time for a snapshot: what it answered is only in the history.
      for (let index = 1; index <= 5; index += 1) sent.push(await send(connection, 1_000_000 * index))
      kill(solana)
      await isBack(solana, before)
    }
    const balances = await Promise.all(sent.map(({ to }) => connection.getBalance(to)))
    expect(balances).toEqual(sent.map((_, index) => 1_000_000 * ((index % 5) + 1)))
    const { value } = await connection.getSignatureStatuses(sent.map(({ signature }) => signature))
    expect(value.every((status) => status?.err === null)).toBe(true)
  })

  it('comes back from its snapshot with what the control routes set', async () => {
    const { solana, connection } = await start()
    const before = solana.pid()
    const address = Keypair.generate().publicKey
    const owner = SystemProgram.programId.toBase58()
    const account = {
      address: address.toBase58(),
      lamports: 10n ** 15n,
      owner,
      executable: false,
      data: new Uint8Array(),
    }
    await control(solana.rpcUrl).setAccounts([account])
    await solana.advance(3_600)
    const slot = await connection.getSlot()
    kill(solana)
    await isBack(solana, before)
    expect(await connection.getBalance(address)).toBe(10 ** 15)
    expect(await connection.getSlot()).toBeGreaterThanOrEqual(slot)
  })

  it('is given up, and says so once, where it ends again and again', async () => {
    const reasons: string[] = []
    const { solana } = await start({ onCrash: ({ message }) => reasons.push(message) })
    await until(
      'it has come to that',
      () => {
        killIfAlive(solana.pid())
        return reasons.length > 0
      },
      30_000,
    )
    expect(reasons).toHaveLength(1)
  })

  it('does not outlive a parent that is killed with -9', async () => {
    const owner = startOwner('../../solana/fixtures/solana-owner', '')
    const { pid } = await owner.firstLine
    expect(membersOfGroup(Number(pid)).length).toBeGreaterThan(0)
    await owner.end('SIGKILL')
    await until('its processes have ended', () => membersOfGroup(Number(pid)).length === 0)
  })

  it('says in one line that its port is taken', async () => {
    const { solana } = await start()
    const port = Number(new URL(solana.rpcUrl).port)
    await expect(startSolana({ port, log })).rejects.toThrow(/EADDRINUSE/)
  })

  it("follows the product's clock: two slots a second, at every program's and caller's hand", async () => {
    const aheadMs = 7 * 86_400_000
    const { solana, connection } = await start({ aheadMs })
    const unixSeconds = Math.floor((Date.now() + aheadMs) / 1000)
    const slot = await connection.getSlot()
    expect(slot).toBeGreaterThanOrEqual(2 * unixSeconds - 60)
    expect(slot).toBeLessThanOrEqual(2 * unixSeconds + 60)
    expect(await connection.getBlockTime(slot)).toBe(slot / 2)
    await solana.advance(1_000)
    expect((await connection.getSlot()) - slot).toBeGreaterThanOrEqual(2_000)
    expect(await connection.getBlockHeight()).toBeLessThan(2 ** 31)
  })

  it('loads programs at the addresses they have to be at, and runs them', async () => {
    const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
    const first = await start()
    const bytes = (await first.connection.getAccountInfo(memoProgram))?.data ?? new Uint8Array()
    await first.solana.stop()
    const id = Keypair.generate().publicKey
    const { connection } = await start({ programs: [{ id: id.toBase58(), bytes }] })
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight })
    transaction.add({ programId: id, keys: [], data: Buffer.from('hello') })
    transaction.sign(payer)
    const signature = await connection.sendRawTransaction(transaction.serialize())
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(landed?.meta?.logMessages?.at(-1)).toBe(`Program ${id.toBase58()} success`)
  })

  it('has the same tokens in every sandbox', () => {
    expect(SOLANA_TOKENS).toEqual({
      USDC: { mint: expect.any(String) as string, decimals: 6 },
      USDT: { mint: expect.any(String) as string, decimals: 6 },
    })
    expect(holdingAddress(accounts.payer, SOLANA_TOKENS.USDC.mint)).not.toBe(
      holdingAddress(accounts.payer, SOLANA_TOKENS.USDT.mint),
    )
  })
})
