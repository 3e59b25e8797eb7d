import {
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  SystemProgram,
  Transaction,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { ending, ownFolder } from '../../test/harness/at-end.js'
import { until } from '../../test/harness/until.js'
import { control } from './control.js'
import { seedSolana } from './seed.js'
import { startSolana } from './solana.js'

describe("durable nonces on the sandbox's Solana chain", { timeout: 60_000 }, async () => {
  const payer = Keypair.generate()
  const solana = ending(await startSolana({ dataDir: await ownFolder(), log: createLog('silent') }))
  const address = payer.publicKey.toBase58()
  await seedSolana(solana.rpcUrl, { payer: address, treasury: address })
  const connection = new Connection(solana.rpcUrl, 'confirmed')
  const nextBlock = () => control(solana.rpcUrl).advance(1)

  const send = async (instructions: TransactionInstruction[], blockhash?: string, ...signers: Keypair[]) => {
    const recentBlockhash = blockhash ?? (await connection.getLatestBlockhash()).blockhash
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash }).add(...instructions)
    transaction.sign(payer, ...signers)
    return connection.sendRawTransaction(transaction.serialize())
  }
  const sendPastPreflight = async (instructions: TransactionInstruction[], blockhash: string) => {
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(...instructions)
    transaction.sign(payer)
    return connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  }
  const newNonce = async (): Promise<PublicKey> => {
    const account = Keypair.generate()
    const { instructions } = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    })
    await send(instructions, undefined, account)
    await nextBlock()
    return account.publicKey
  }
  const valueOf = async (account: PublicKey): Promise<string> =>
    NonceAccount.fromAccountData((await connection.getAccountInfo(account))?.data ?? Buffer.alloc(0)).nonce
  const advance = (account: PublicKey, authority = payer.publicKey) =>
    SystemProgram.nonceAdvance({ noncePubkey: account, authorizedPubkey: authority })
  const pay = (to: PublicKey, lamports: number) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports })
  const newWallet = () => Keypair.generate().publicKey
  const statusOf = async (signature: string) => (await connection.getSignatureStatuses([signature])).value[0]

  const refusalOf = (sent: Promise<string>): Promise<string> =>
    sent.then(
      () => 'it was taken',
      (error: unknown) => String(error),
    )
  /** Does it again where the chain's second passed meanwhile. */
  const inOneBlock = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      await nextBlock()
      const slot = await connection.getSlot()
      const outcome = await work()
      if ((await connection.getSlot()) === slot) return outcome
    }
  }

  it('let a transaction live for as long as its nonce, and one of those that share it land', async () => {
    const [account, first, second] = [await newNonce(), newWallet(), newWallet()]
    const value = await valueOf(account)
    await control(solana.rpcUrl).advance(3_600)
    await send([advance(account), pay(first, 900_000_000)], value)
    expect(await connection.getBalance(first)).toBe(900_000_000)
    expect(await valueOf(account)).not.toBe(value)
    await expect(send([advance(account), pay(second, 900_000_000)], value)).rejects.toThrow('Blockhash not found')
    await sendPastPreflight([advance(account), pay(second, 900_000_000)], value)
    expect(await connection.getBalance(second)).toBe(0)
  })

  it('are used up by a transaction that fails, which has cost its fee', async () => {
    const account = await newNonce()
    const value = await valueOf(account)
    const before = await connection.getBalance(payer.publicKey)
    const failing = await sendPastPreflight([advance(account), pay(newWallet(), 10 ** 15)], value)
    expect(await statusOf(failing)).toMatchObject({ err: { InstructionError: [1, { Custom: 1 }] } })
    expect(await connection.getBalance(payer.publicKey)).toBe(before - 5_000)
    expect(await valueOf(account)).not.toBe(value)
  })

  it('serve nobody where another instruction comes first, the authority has not signed, or the block is the same', async () => {
    const account = await newNonce()
    const value = await valueOf(account)
    const to = newWallet()
    await expect(send([pay(to, 900_000_000), advance(account)], value)).rejects.toThrow('Blockhash not found')
    const stranger = Keypair.generate()
    const stolen = new Transaction({ feePayer: stranger.publicKey, recentBlockhash: value })
    await connection.requestAirdrop(stranger.publicKey, 10 ** 9)
    stolen.add(advance(account, stranger.publicKey)).sign(stranger)
    await expect(connection.sendRawTransaction(stolen.serialize())).rejects.toThrow('Blockhash not found')
    const [byNonce, byBlockhash] = await inOneBlock(async () => {
      await send([advance(account)])
      const next = await valueOf(account)
      return [
        await refusalOf(send([advance(account), pay(to, 1)], next)),
        await refusalOf(send([advance(account), pay(to, 1)])),
      ]
    })
    expect(byNonce).toContain('Blockhash not found')
    // NonceBlockhashNotExpired.
    expect(byBlockhash).toContain('custom program error: 0x7')
    expect(await connection.getBalance(to)).toBe(0)
  })

  it('are advanced in a later block by what was signed with the blockhash of the block that gave them', async () => {
    const account = await newNonce()
    const blockhash = await inOneBlock(async () => {
      await send([advance(account)])
      return (await connection.getLatestBlockhash()).blockhash
    })
    await nextBlock()
    const value = await valueOf(account)
    await send([advance(account), pay(newWallet(), 900_000_000)], blockhash)
    expect(await valueOf(account)).not.toBe(value)
  })

  it('keep their values through a kill -9', async () => {
    const account = await newNonce()
    await send([advance(account), pay(newWallet(), 900_000_000)], await valueOf(account))
    const value = await valueOf(account)
    const before = solana.pid()
    process.kill(before ?? 0, 'SIGKILL')
    await until('the chain is back', () => solana.pid() !== undefined && solana.pid() !== before)
    expect(await valueOf(account)).toBe(value)
    // The chain's time waits for its clock, which the kill has set back.
    await control(solana.rpcUrl).advance(7_200)
    expect(bs58.decode(await send([advance(account)], value))).toHaveLength(64)
  })
})
