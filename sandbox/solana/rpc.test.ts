import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { freshAddress } from '../../test/harness/solana-side.js'
import { startSolanaHarness, USDC } from '../../test/harness/solana.js'
import { holdingAddress } from './seed.js'
import { TOKEN_PROGRAM } from './token-accounts.js'

interface Answer {
  id: unknown
  result?: unknown
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

describe("the sandbox's Solana chain, as a node", { timeout: 60_000 }, async () => {
  const harness = await startSolanaHarness()
  const connection = new Connection(harness.solana.rpcUrl, 'confirmed')

  const post = async (body: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(harness.solana.rpcUrl, { method: 'POST', headers, body })
    return answer.status === 204 ? undefined : answer.json()
  }
  const call = async (method: string, ...params: unknown[]): Promise<Answer> =>
    (await post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))) as Answer
  const transfer = async (
    lamports: number,
    to = Keypair.generate().publicKey,
    from = harness.payer,
  ): Promise<Transaction> => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: from.publicKey, blockhash, lastValidBlockHeight })
    transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports }))
    transaction.sign(from)
    return transaction
  }
  const base64 = (transaction: Transaction): string => transaction.serialize().toString('base64')
  const sendBase64 = (text: string, config: object = {}): Promise<Answer> =>
    call('sendTransaction', text, { encoding: 'base64', ...config })

  it('answers what the Connection of web3.js asks about the cluster', async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    expect(lastValidBlockHeight - (await connection.getBlockHeight())).toBeGreaterThanOrEqual(146)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    expect((await connection.isBlockhashValid(freshAddress())).value).toBe(false)
    expect(bs58.decode(await connection.getGenesisHash())).toHaveLength(32)
    expect(await connection.getVersion()).toHaveProperty('solana-core')
    const slot = await connection.getSlot()
    expect(await connection.getBlockTime(slot)).toBe(slot / 2)
    expect((await connection.getEpochInfo()).absoluteSlot).toBeGreaterThanOrEqual(slot)
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280)
    const message = (await transfer(1)).compileMessage()
    expect((await connection.getFeeForMessage(message)).value).toBe(5_000)
    expect((await connection.getRecentPrioritizationFees()).length).toBeGreaterThan(0)
    expect((await call('getHealth')).result).toBe('ok')
  })

  it('answers what the Connection of web3.js asks about accounts and tokens', async () => {
    const { publicKey } = harness.payer
    const mint = new PublicKey(USDC.address)
    const account = new PublicKey(holdingAddress(publicKey.toBase58(), USDC.address))
    const unknown = Keypair.generate().publicKey
    expect(await connection.getBalance(publicKey)).toBe(1_000_000_000_000)
    expect(await connection.getBalance(unknown)).toBe(0)
    expect(await connection.getAccountInfo(unknown)).toBeNull()
    const [first, second] = await connection.getMultipleAccountsInfo([account, unknown])
    expect([first?.data.length, first?.owner.toBase58(), second]).toEqual([165, TOKEN_PROGRAM, null])
    const slice = await connection.getAccountInfo(account, { dataSlice: { offset: 32, length: 32 } })
    expect(new PublicKey(slice?.data ?? []).equals(publicKey)).toBe(true)
    expect((await connection.getTokenAccountBalance(account)).value).toEqual({
      amount: '1000000000000',
      decimals: 6,
      uiAmount: 1_000_000,
      uiAmountString: '1000000',
    })
    expect((await connection.getTokenSupply(mint)).value.uiAmount).toBe(21_000_000)
    expect((await connection.getTokenAccountsByOwner(publicKey, { mint })).value.map(({ pubkey }) => pubkey)).toEqual([
      account,
    ])
    const programId = new PublicKey(TOKEN_PROGRAM)
    expect((await connection.getTokenAccountsByOwner(publicKey, { programId })).value).toHaveLength(2)
    const { value } = await connection.getParsedTokenAccountsByOwner(publicKey, { mint })
    expect(value[0]?.account.data.parsed).toMatchObject({
      info: { tokenAmount: { uiAmount: 1_000_000 } },
      type: 'account',
    })
    const filters = [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: publicKey.toBase58() } }]
    expect(await connection.getProgramAccounts(programId, { filters })).toHaveLength(2)
    expect((await connection.getProgramAccounts(programId, { filters, withContext: true })).value).toHaveLength(2)
    expect((await connection.getParsedAccountInfo(mint)).value?.data).toMatchObject({ parsed: { type: 'mint' } })
  })

  it('runs transactions and tells of them as the Connection of web3.js expects', async () => {
    const to = Keypair.generate().publicKey
    const transaction = await transfer(5_000_000, to)
    const simulated = await connection.simulateTransaction(new VersionedTransaction(transaction.compileMessage()), {
      sigVerify: false,
      accounts: { encoding: 'base64', addresses: [to.toBase58()] },
    })
    expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 150, accounts: [{ lamports: 5_000_000 }] })
    expect(await connection.getBalance(to)).toBe(0)
    const signature = await connection.sendRawTransaction(transaction.serialize())
    const { slot } = (await connection.getSignatureStatus(signature)).value ?? {}
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 })
    expect(landed).toMatchObject({
      slot,
      blockTime: (slot ?? 0) / 2,
      meta: { err: null, fee: 5_000 },
      version: 'legacy',
    })
    expect(landed?.meta?.postBalances[1]).toBe(5_000_000)
    expect(await connection.getSignaturesForAddress(to)).toMatchObject([{ signature, slot, err: null }])
    expect(
      await connection.getTransactions([signature, signature], { maxSupportedTransactionVersion: 0 }),
    ).toHaveLength(2)
    const airdropped = Keypair.generate().publicKey
    const airdrop = await connection.requestAirdrop(airdropped, 7_000_000)
    expect((await connection.getSignatureStatus(airdrop)).value?.err).toBeNull()
    expect(await connection.getBalance(airdropped)).toBe(7_000_000)
  })

  it('pages through the transactions of an address, newest first', async () => {
    const to = Keypair.generate().publicKey
    const sent: string[] = []
    for (let lamports = 1_000_000; lamports < 1_000_005; lamports += 1) {
      sent.unshift(await connection.sendRawTransaction((await transfer(lamports, to)).serialize()))
    }
    const page = async (options: object) =>
      (await connection.getSignaturesForAddress(to, options)).map(({ signature }) => signature)
    expect(await page({})).toEqual(sent)
    expect(await page({ limit: 2 })).toEqual(sent.slice(0, 2))
    expect(await page({ before: sent[1] })).toEqual(sent.slice(2))
    expect(await page({ until: sent[3] })).toEqual(sent.slice(0, 3))
  })

  it('creates, fills and uses an address look-up table', async () => {
    const { payer } = harness
    const send = async (instructions: TransactionMessage['instructions'], tables = [] as never[]) => {
      const { blockhash } = await connection.getLatestBlockhash()
      const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions })
      const transaction = new VersionedTransaction(message.compileToV0Message(tables))
      transaction.sign([payer])
      return connection.sendTransaction(transaction)
    }
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: await connection.getSlot(),
    })
    const to = Keypair.generate().publicKey
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: payer.publicKey,
      authority: payer.publicKey,
      lookupTable: table,
      addresses: [to],
    })
    await send([create, extend])
    // A table's new keys can be used from the next slot on.
    await harness.solana.advance(1)
    const { value } = await connection.getAddressLookupTable(table)
    const pay = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 3_000_000 })
    const signature = await send([pay], [value] as never[])
    expect(await connection.getBalance(to)).toBe(3_000_000)
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.toBase58()])
    expect(await call('getTransaction', signature)).toMatchObject({ error: { code: -32015 } })
  })

  it('refuses before sending what a node refuses, with its codes and words', async () => {
    /** What a simulation that fails is answered with. */
    const fails = (why: string, err: unknown) => ({
      error: { code: -32002, message: `Transaction simulation failed: ${why}`, data: { err } },
    })
    const unknown = 'Attempt to debit an account but found no record of a prior credit.'
    const fromNobody = await sendBase64(base64(await transfer(1, undefined, Keypair.generate())))
    expect(fromNobody).toMatchObject(fails(unknown, 'AccountNotFound'))
    expect(fromNobody.error?.data?.['logs']).toEqual([])
    const tooMuch = await sendBase64(base64(await transfer(9_000_000_000_000)))
    const custom = { InstructionError: [0, { Custom: 1 }] }
    expect(tooMuch).toMatchObject(fails('Error processing Instruction 0: custom program error: 0x1', custom))
    expect(tooMuch.error?.data?.['logs']).toContainEqual(expect.stringContaining('insufficient lamports'))
    const tooLittle = 'Transaction results in an account (1) with insufficient funds for rent'
    const rent = { InsufficientFundsForRent: { account_index: 1 } }
    expect(await sendBase64(base64(await transfer(5)))).toMatchObject(fails(tooLittle, rent))

    const sent = base64(await transfer(1_234_567))
    expect(await sendBase64(sent)).toHaveProperty('result')
    const again = fails('This transaction has already been processed', 'AlreadyProcessed')
    expect(await sendBase64(sent)).toMatchObject(again)
    const stale = base64(await transfer(1_000_000))
    await harness.solana.advance(77)
    expect(await sendBase64(stale)).toMatchObject(fails('Blockhash not found', 'BlockhashNotFound'))
    const bytes = (await transfer(1)).serialize()
    bytes[5] = (bytes[5] ?? 0) ^ 1
    expect(await sendBase64(bytes.toString('base64'))).toMatchObject({
      error: { code: -32003, message: 'Transaction signature verification failure' },
    })
  })

  it('never runs a message twice, however it is sent', async () => {
    const to = Keypair.generate().publicKey
    const sent = base64(await transfer(2_000_000, to))
    for (let index = 0; index < 3; index += 1) await sendBase64(sent, { skipPreflight: true })
    // Its own memory of past transactions is 32 long; the chain's is not.
    for (let index = 0; index < 40; index += 1) await sendBase64(base64(await transfer(1_000_000 + index)))
    await sendBase64(sent, { skipPreflight: true })
    expect(await connection.getBalance(to)).toBe(2_000_000)
  })

  it('lets a transaction land that fails where the caller skips the simulation, and takes its fee', async () => {
    const before = await connection.getBalance(harness.payer.publicKey)
    const { result } = await sendBase64(base64(await transfer(9_000_000_000_000)), { skipPreflight: true })
    const { value } = await connection.getSignatureStatus(String(result))
    expect(value?.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    expect(before - (await connection.getBalance(harness.payer.publicKey))).toBe(5_000)
  })

  it('shows a status of long ago only to who asks for the history', async () => {
    const signature = await connection.sendRawTransaction((await transfer(1_000_000)).serialize())
    await harness.solana.advance(200)
    expect((await connection.getSignatureStatuses([signature])).value).toEqual([null])
    const found = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true })
    expect(found.value[0]?.err).toBeNull()
  })

  it('refuses parameters as a node does', async () => {
    const sent = base64(await transfer(1))
    const code = async (answer: Promise<Answer>) => (await answer).error?.code
    expect(await code(call('noSuchMethod'))).toBe(-32601)
    expect(await code(call('getBalance', 'nonsense'))).toBe(-32602)
    expect(await code(call('getBalance', bs58.encode(Buffer.alloc(31))))).toBe(-32602)
    expect(await code(call('getMultipleAccounts', Array.from({ length: 101 }, freshAddress)))).toBe(-32602)
    expect(await code(call('getSlot', { minContextSlot: 2 ** 40 }))).toBe(-32016)
    expect(await code(sendBase64('!!!'))).toBe(-32602)
    expect(await code(sendBase64(Buffer.alloc(1233).toString('base64')))).toBe(-32602)
    expect(
      await code(
        call('simulateTransaction', sent, { encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true }),
      ),
    ).toBe(-32602)
    expect(await code(call('getTokenAccountBalance', harness.payer.publicKey.toBase58()))).toBe(-32602)
    // Base58 of more than 128 bytes, which is what a caller gets who names no encoding.
    expect(await code(call('getAccountInfo', holdingAddress(harness.payer.publicKey.toBase58(), USDC.address)))).toBe(
      -32600,
    )
  })

  it('speaks JSON-RPC 2.0: batches, notifications, and errors for what is neither', async () => {
    const one = { jsonrpc: '2.0', id: 'a', method: 'getHealth' }
    const note = { jsonrpc: '2.0', method: 'getHealth' }
    expect(await post(JSON.stringify([one, note, { ...one, id: 2, method: 'none' }]))).toEqual([
      { jsonrpc: '2.0', id: 'a', result: 'ok' },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
    ])
    expect(await post(JSON.stringify(note))).toBeUndefined()
    expect(await post('{')).toMatchObject({ error: { code: -32700 }, id: null })
    expect(await post('[]')).toMatchObject({ error: { code: -32600 } })
    expect(await post('17')).toMatchObject({ error: { code: -32600 } })
  })
})
